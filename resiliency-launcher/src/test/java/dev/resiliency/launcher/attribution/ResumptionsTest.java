package dev.resiliency.launcher.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.monitor.spi.RankStamps;
import dev.resiliency.monitor.spi.RankStamps.Beginning;
import dev.resiliency.monitor.spi.RankStamps.Control;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ResumptionsTest {
    private static final int NONE = -1;

    private final Resumptions resumptions = new Resumptions();

    private static OptionalLong step(int step) {
        return step == NONE ? OptionalLong.empty() : OptionalLong.of(step);
    }

    /** A process with one beginning, or none. */
    private static RankStamps stamps(int pid, int iteration, int before, int first, int latest) {
        return stamps(
                pid,
                iteration,
                latest,
                first == NONE ? List.of() : List.of(new Beginning(iteration, step(before), first)));
    }

    private static RankStamps stamps(int pid, int iteration, int latest, List<Beginning> beginnings) {
        return new RankStamps(
                pid,
                1,
                1,
                false,
                step(latest),
                OptionalLong.empty(),
                beginnings,
                step(latest),
                0,
                List.of(),
                Control.NONE,
                iteration == NONE ? OptionalInt.empty() : OptionalInt.of(iteration),
                OptionalInt.empty(),
                OptionalInt.empty(),
                JobPart.NONE,
                MemoryUse.NONE,
                0);
    }

    private List<Resumption> look(int process, RankStamps stamped) {
        return resumptions.look(2, process, stamped);
    }

    private static Resumption resumption(int iteration, int from, int to, boolean isLeast) {
        return new Resumption(2, iteration, from, to, isLeast);
    }

    @Test
    void rankThatSurvivesKnowsWhereItWas() {
        assertThat(look(0, stamps(1000, 0, NONE, 0, 1200)))
                .as("the first iteration resumes nothing")
                .isEmpty();
        assertThat(look(0, stamps(1000, 1, 1200, NONE, 1200)))
                .as("it has made no step yet")
                .isEmpty();

        assertThat(look(0, stamps(1000, 1, 1200, 1186, 1187))).contains(resumption(1, 1200, 1186, false));
        assertThat(look(0, stamps(1000, 1, 1200, 1186, 1199))).as("once").isEmpty();
        assertThat(look(0, stamps(1000, 2, 1199, 1186, 1186))).contains(resumption(2, 1199, 1186, false));
    }

    @Test
    void restartsSinceTheLastLookAreAllSeen() {
        Beginning known = new Beginning(1, step(900), 890);
        assertThat(look(0, stamps(1000, 1, 890, List.of(known)))).hasSize(1);
        List<Beginning> all = List.of(known, new Beginning(2, step(1200), 1186), new Beginning(4, step(1188), 1186));

        assertThat(look(0, stamps(1000, 4, 1187, all)))
                .containsExactly(resumption(2, 1200, 1186, false), resumption(4, 1188, 1186, false));
        assertThat(look(0, stamps(1000, 4, 1190, all))).isEmpty();
    }

    @Test
    void processThatIsStartedAgainGoesOnWhereTheOneBeforeHasEnded() {
        assertThat(look(0, stamps(1000, NONE, NONE, 0, 1190))).isEmpty();
        resumptions.ended(0, stamps(1000, NONE, NONE, 0, 1200));

        assertThat(look(0, stamps(1001, NONE, NONE, NONE, NONE))).isEmpty();
        assertThat(look(0, stamps(1001, NONE, NONE, 1186, 1186))).contains(resumption(-1, 1200, 1186, false));
    }

    @Test
    void processThatFailsBeforeItsFirstStepHidesNothing() {
        resumptions.ended(0, stamps(1000, NONE, NONE, 0, 1200));
        resumptions.ended(0, stamps(1001, NONE, NONE, NONE, NONE));

        assertThat(look(0, stamps(1002, NONE, NONE, 1186, 1186))).contains(resumption(-1, 1200, 1186, false));
    }

    @Test
    void wrappedProcessMayHaveBeenFurtherThanItHasNoted() {
        resumptions.ended(0, stamps(1000, 3, NONE, 0, 1200));

        assertThat(look(0, stamps(1001, 4, NONE, 1186, 1186))).contains(resumption(4, 1200, 1186, true));
    }

    @Test
    void rankThatSurvivesKnowsItBetterThanOneThatIsStartedAgain() {
        assertThat(look(0, stamps(1000, 3, NONE, 0, 1200))).isEmpty();
        assertThat(look(1, stamps(1001, 3, NONE, 0, 1190))).isEmpty();
        resumptions.ended(1, stamps(1001, 3, NONE, 0, 1190));

        assertThat(look(1, stamps(1002, 4, NONE, 1186, 1186))).isEmpty();
        assertThat(look(0, stamps(1000, 4, 1200, 1186, 1186))).contains(resumption(4, 1200, 1186, false));
    }

    @Test
    void processOfWhichNothingIsKnownResumesNothing() {
        assertThat(look(7, stamps(1000, 3, NONE, 1186, 1186))).isEmpty();
    }

    @Test
    void stepsAreToldFromTheFirstOn() {
        assertThat(look(0, stamps(1000, 0, NONE, NONE, NONE))).isEmpty();
        assertThat(resumptions.areStepsTold()).isFalse();

        assertThat(look(0, stamps(1000, 0, NONE, 0, 0))).isEmpty();
        assertThat(resumptions.areStepsTold()).isTrue();
    }
}

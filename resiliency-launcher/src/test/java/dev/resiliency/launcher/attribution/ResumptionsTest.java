package dev.resiliency.launcher.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.monitor.spi.RankStamps;
import dev.resiliency.monitor.spi.RankStamps.Control;
import dev.resiliency.monitor.spi.RankStamps.Steps;
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

    private static RankStamps stamps(int pid, int iteration, int before, int first, int latest) {
        return new RankStamps(
                pid,
                1,
                1,
                false,
                step(latest),
                OptionalLong.empty(),
                new Steps(step(before), step(first), step(latest)),
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

    @Test
    void rankThatSurvivesKnowsWhereItWas() {
        assertThat(resumptions.look(0, stamps(1000, 0, NONE, 0, 1200)))
                .as("the first iteration resumes nothing")
                .isEmpty();
        assertThat(resumptions.look(0, stamps(1000, 1, 1200, NONE, 1200)))
                .as("it has made no step yet")
                .isEmpty();

        assertThat(resumptions.look(0, stamps(1000, 1, 1200, 1186, 1187))).contains(new Resumption(1200, 1186, false));
        assertThat(resumptions.look(0, stamps(1000, 1, 1200, 1186, 1199)))
                .as("once")
                .isEmpty();
        assertThat(resumptions.look(0, stamps(1000, 2, 1199, 1186, 1186))).contains(new Resumption(1199, 1186, false));
    }

    @Test
    void processThatIsStartedAgainGoesOnWhereTheOneBeforeHasEnded() {
        assertThat(resumptions.look(0, stamps(1000, NONE, NONE, 0, 1190))).isEmpty();
        resumptions.ended(0, stamps(1000, NONE, NONE, 0, 1200));

        assertThat(resumptions.look(0, stamps(1001, NONE, NONE, NONE, NONE))).isEmpty();
        assertThat(resumptions.look(0, stamps(1001, NONE, NONE, 1186, 1186)))
                .contains(new Resumption(1200, 1186, false));
    }

    @Test
    void processThatFailsBeforeItsFirstStepHidesNothing() {
        resumptions.ended(0, stamps(1000, NONE, NONE, 0, 1200));
        resumptions.ended(0, stamps(1001, NONE, NONE, NONE, NONE));

        assertThat(resumptions.look(0, stamps(1002, NONE, NONE, 1186, 1186)))
                .contains(new Resumption(1200, 1186, false));
    }

    @Test
    void wrappedProcessMayHaveBeenFurtherThanItHasNoted() {
        resumptions.ended(0, stamps(1000, 3, NONE, 0, 1200));

        assertThat(resumptions.look(0, stamps(1001, 4, NONE, 1186, 1186))).contains(new Resumption(1200, 1186, true));
    }

    @Test
    void rankThatSurvivesKnowsItBetterThanOneThatIsStartedAgain() {
        assertThat(resumptions.look(0, stamps(1000, 3, NONE, 0, 1200))).isEmpty();
        assertThat(resumptions.look(1, stamps(1001, 3, NONE, 0, 1190))).isEmpty();
        resumptions.ended(1, stamps(1001, 3, NONE, 0, 1190));

        assertThat(resumptions.look(1, stamps(1002, 4, NONE, 1186, 1186))).isEmpty();
        assertThat(resumptions.look(0, stamps(1000, 4, 1200, 1186, 1186))).contains(new Resumption(1200, 1186, false));
    }

    @Test
    void processOfWhichNothingIsKnownResumesNothing() {
        assertThat(resumptions.look(7, stamps(1000, 3, NONE, 1186, 1186))).isEmpty();
    }

    @Test
    void stepsAreToldFromTheFirstOn() {
        assertThat(resumptions.look(0, stamps(1000, 0, NONE, NONE, NONE))).isEmpty();
        assertThat(resumptions.areStepsTold()).isFalse();

        assertThat(resumptions.look(0, stamps(1000, 0, NONE, 0, 0))).isEmpty();
        assertThat(resumptions.areStepsTold()).isTrue();
    }
}

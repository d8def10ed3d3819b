package dev.resiliency.launcher.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.MonitorSettings;
import dev.resiliency.launcher.monitor.RankWatch.Finding;
import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.monitor.spi.RankStamps;
import dev.resiliency.monitor.spi.RankStamps.Control;
import dev.resiliency.monitor.spi.RankStamps.OpenSection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One rank, watched with a clock that only the test moves. */
class RankWatchTest {
    private static final long SECOND = 1_000_000_000L;

    private long now = 1000 * SECOND;
    private RankStamps stamps = stamps(0, 0, List.of(), Control.NONE);

    private static RankStamps stamps(long heartbeat, long sectionUse, List<OpenSection> sections, Control control) {
        return stamps(heartbeat, sectionUse, sections, control, OptionalInt.empty());
    }

    private static RankStamps stamps(
            long heartbeat, long sectionUse, List<OpenSection> sections, Control control, OptionalInt initialRank) {
        return new RankStamps(
                1,
                1,
                heartbeat,
                false,
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(),
                OptionalLong.empty(),
                sectionUse,
                sections,
                control,
                OptionalInt.empty(),
                initialRank,
                OptionalInt.empty(),
                JobPart.NONE,
                MemoryUse.NONE,
                0);
    }

    private static @Nullable Duration limit(int seconds) {
        return seconds == 0 ? null : Duration.ofSeconds(seconds);
    }

    private RankWatch watch(int initial, int heartbeat, int outOfSection, Map<String, Duration> sections) {
        RankWatch watch = new RankWatch(
                new MonitorSettings(
                        limit(initial), limit(heartbeat), sections, limit(outOfSection), false, 5, 3, "KILL", 3),
                () -> now);
        watch.begin(0, () -> stamps);
        return watch;
    }

    private OpenSection open(String name, long since) {
        return new OpenSection(name, since, false);
    }

    private List<Finding> lookWhenDue(RankWatch watch) {
        now += watch.untilLook().orElseThrow().toNanos();
        return watch.look();
    }

    private static String reason(List<Finding> findings) {
        assertThat(findings).singleElement().isInstanceOf(Finding.Overdue.class);
        return ((Finding.Overdue) findings.get(0)).reason();
    }

    @Test
    void withoutLimitsThereIsNothingToLookFor() {
        assertThat(watch(0, 0, 0, Map.of()).untilLook()).isEmpty();
    }

    @Test
    void missingFirstHeartbeatIsFoundWhenItIsDue() {
        RankWatch watch = watch(60, 10, 0, Map.of());

        for (int looks = 0; looks < 5; looks++) {
            assertThat(lookWhenDue(watch)).isEmpty();
        }
        assertThat(reason(lookWhenDue(watch)))
                .isEqualTo("there has been no heartbeat since it started 60.0 s ago, and the limit is 60.0 s");
        assertThat(watch.untilLook()).isEmpty();
    }

    /** A spare waits for days, and a wrapper watches it meanwhile. */
    @Test
    void processThatTheJobKnowsOwesNoFirstHeartbeat() {
        RankWatch watch = watch(60, 10, 0, Map.of());
        stamps = stamps(0, 0, List.of(), Control.NONE, OptionalInt.of(3));

        for (int looks = 0; looks < 20; looks++) {
            assertThat(lookWhenDue(watch)).isEmpty();
        }
    }

    @Test
    void hangIsFoundTheMomentThatItIsDueHoweverLateItBeganAfterALook() {
        RankWatch watch = watch(0, 0, 0, Map.of("step", Duration.ofSeconds(10)));
        long begin = now + 3 * SECOND;
        now += SECOND;
        watch.look();
        stamps = stamps(0, begin, List.of(open("step", begin)), Control.NONE);

        assertThat(lookWhenDue(watch)).isEmpty();
        assertThat(reason(lookWhenDue(watch)))
                .isEqualTo("section 'step' has been open for 10.0 s, and the limit is 10.0 s");
        assertThat(now).isEqualTo(begin + 10 * SECOND);
    }

    @Test
    void overdueOuterSectionIsNotMaskedByFreshInnerOnes() {
        RankWatch watch = watch(0, 0, 0, Map.of("outer", Duration.ofSeconds(20), "inner", Duration.ofSeconds(60)));
        long begin = now;
        List<Finding> found = List.of();
        while (found.isEmpty()) {
            stamps = stamps(now, now, List.of(open("outer", begin), open("inner", now)), Control.NONE);
            assertThat(now - begin).isLessThan(21 * SECOND);
            found = lookWhenDue(watch);
        }
        assertThat(reason(found)).startsWith("section 'outer' has been open for 20.0 s");
    }

    @Test
    void earliestOfSeveralDeadlinesCounts() {
        RankWatch watch = watch(0, 10, 0, Map.of("step", Duration.ofSeconds(20)));
        stamps = stamps(now, now, List.of(open("step", now)), Control.NONE);
        now += 10 * SECOND;

        assertThat(reason(watch.look())).contains("heartbeat").contains("the limit is 10.0 s");
    }

    @Test
    void limitThatIsCalculatedMeanwhileHoldsAtOnce() {
        RankWatch watch = watch(0, 0, 0, Map.of());
        assertThat(watch.untilLook()).isEmpty();

        watch.calculated(new CalculatedLimits(Map.of("step", Duration.ofSeconds(10)), Map.of()));
        long begin = now;
        stamps = stamps(0, begin, List.of(open("step", begin)), Control.NONE);
        List<Finding> found = List.of();
        while (found.isEmpty()) {
            found = lookWhenDue(watch);
        }

        assertThat(reason(found)).isEqualTo("section 'step' has been open for 10.0 s, and the limit is 10.0 s");
        assertThat(now).isEqualTo(begin + 10 * SECOND);
    }

    @Test
    void sectionsWithoutALimitMayTakeAnyTime() {
        RankWatch watch = watch(0, 0, 0, Map.of("step", Duration.ofSeconds(10)));
        stamps = stamps(0, now, List.of(open("evaluation", now)), Control.NONE);
        for (int looks = 0; looks < 100; looks++) {
            assertThat(lookWhenDue(watch)).isEmpty();
        }
    }

    @Test
    void heartbeatsMoveTheirDeadline() {
        RankWatch watch = watch(0, 10, 0, Map.of());
        for (int beats = 0; beats < 10; beats++) {
            stamps = stamps(now, 0, List.of(), Control.NONE);
            now += 9 * SECOND;
            assertThat(watch.look()).isEmpty();
            stamps = stamps(now, 0, List.of(), Control.NONE);
            assertThat(lookWhenDue(watch)).isEmpty(); // of the heartbeat before
        }
        assertThat(reason(lookWhenDue(watch))).startsWith("the last heartbeat was 10.0 s ago");
    }

    @Test
    void timeOutsideOfSectionsIsLimitedWhileNoneIsOpen() {
        RankWatch watch = watch(0, 0, 30, Map.of());
        stamps = stamps(0, now, List.of(open("a", now)), Control.NONE);
        assertThat(lookWhenDue(watch)).isEmpty();
        assertThat(lookWhenDue(watch)).isEmpty();

        stamps = stamps(0, now, List.of(), Control.NONE);
        lookWhenDue(watch);
        assertThat(watch.untilLook()).isEmpty();
    }

    @Test
    void ranksAreExcusedForTheTimeInWhichThisHostStoodStill() {
        RankWatch watch = watch(0, 10, 0, Map.of());
        stamps = stamps(now, 0, List.of(), Control.NONE);
        now += 100 * SECOND;

        assertThat(watch.look()).isEmpty();
        assertThat(watch.untilLook().orElseThrow()).isPositive();

        assertThat(lookWhenDue(watch)).hasSize(1);
    }

    @Test
    void requestIsReportedOnce() {
        RankWatch watch = watch(0, 0, 0, Map.of());
        stamps = stamps(0, 0, List.of(), new Control(WorkloadAction.SHUTDOWN_WORKLOAD, "NaN"));

        assertThat(watch.look()).containsExactly(new Finding.Asked(0, WorkloadAction.SHUTDOWN_WORKLOAD, "NaN"));
        assertThat(watch.look()).isEmpty();
        assertThat(watch.end(0)).isEmpty();
    }

    @Test
    void lastRequestOfAProcessThatHasEndedIsNotLost() {
        RankWatch watch = watch(0, 0, 0, Map.of());
        stamps = stamps(0, 0, List.of(), new Control(WorkloadAction.EXCLUDE_THIS_NODE, "ECC"));

        assertThat(watch.end(0)).contains(new Finding.Asked(0, WorkloadAction.EXCLUDE_THIS_NODE, "ECC"));
        assertThat(watch.look()).isEmpty();
    }
}

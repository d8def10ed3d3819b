package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.testing.Fault;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RestartClockTest {
    private static final long MILLI = 1_000_000;
    private static final Fault EXCEPTION = Fault.parse("exception:2@600");
    private static final Fault KILL = Fault.parse("kill:1@600");

    private final RestartClock clock = new RestartClock(3);

    @Test
    void restartLastsFromTheFaultUntilTheLastRankIsBack() {
        enterAll(0, 0);
        clock.injected(EXCEPTION, 100 * MILLI);
        for (int rank = 0; rank < 3; rank++) {
            clock.reported(
                    report(0, 2, Kind.EXCEPTION, 8, Map.of(Phase.LAST_CALL, 1.0 + rank, Phase.STOP, 3.0 - rank)));
        }
        enter(0, 1, 110);
        enter(2, 1, 114);
        assertThat(clock.takeOver()).isEmpty();

        enter(1, 1, 112);

        assertThat(clock.takeOver()).contains(new Restart(0, "exception", 2, 14, Map.of("lastCall", 3.0, "stop", 3.0)));
        assertThat(clock.takeOver()).isEmpty();
    }

    @Test
    void noRestartWaitsForTheKilledRank() {
        enterAll(0, 0);
        clock.injected(KILL, 100 * MILLI);
        clock.lost(1);
        clock.reported(report(0, 1, Kind.TERMINATED, 8, Map.of()));
        enter(0, 1, 120);
        enter(2, 1, 121);

        assertThat(clock.takeOver()).contains(new Restart(0, "kill", 1, 21, Map.of()));
    }

    @Test
    void rankMayMissAnIterationThatIsInterruptedRightAway() {
        enterAll(0, 0);
        clock.injected(EXCEPTION, 100 * MILLI);
        clock.reported(report(0, 2, Kind.EXCEPTION, 8, Map.of()));
        clock.reported(report(1, 1, Kind.TERMINATED, 5, Map.of()));
        enter(0, 1, 110);
        enter(0, 2, 120);
        enter(1, 2, 121);
        enter(2, 2, 122);

        assertThat(clock.takeOver()).contains(new Restart(0, "exception", 2, 22, Map.of()));
        assertThat(clock.takeOver()).contains(new Restart(1, "terminated", 1, 5, Map.of()));
        assertThat(clock.takeOver()).isEmpty();
    }

    @Test
    void restartWithoutAnInjectedFaultHasTheCauseThatTheRanksReport() {
        enterAll(0, 0);
        clock.reported(report(0, 1, Kind.SOFT_TIMEOUT, 8.1234, Map.of(Phase.ABORT, 0.12345)));
        clock.reported(report(0, 1, Kind.SOFT_TIMEOUT, 9.8765, Map.of(Phase.ABORT, 0.1)));
        enterAll(1, 100);

        assertThat(clock.takeOver()).contains(new Restart(0, "soft_timeout", 1, 9.876, Map.of("abort", 0.123)));
    }

    @Test
    void ofTwoFaultsInOneIterationTheEarlierCounts() {
        enterAll(0, 0);
        clock.injected(KILL, 104 * MILLI);
        clock.injected(EXCEPTION, 100 * MILLI);
        clock.lost(1);
        clock.reported(report(0, 2, Kind.EXCEPTION, 8, Map.of()));
        enter(0, 1, 110);
        enter(2, 1, 111);

        assertThat(clock.takeOver()).contains(new Restart(0, "exception", 2, 11, Map.of()));
    }

    @Test
    void lostRankThatIsBackIsAwaitedAgain() {
        enterAll(0, 0);
        clock.injected(KILL, 100 * MILLI);
        clock.lost(1);
        clock.reported(report(0, 1, Kind.TERMINATED, 8, Map.of()));
        enter(0, 1, 110);
        enter(2, 1, 111);
        assertThat(clock.takeOver()).contains(new Restart(0, "kill", 1, 11, Map.of()));

        clock.reported(report(1, 3, Kind.SCALE_UP, 9, Map.of()));
        enterAll(2, 300);
        assertThat(clock.takeOver()).contains(new Restart(1, "scale_up", 3, 9, Map.of()));
        clock.injected(EXCEPTION, 400 * MILLI);
        clock.reported(report(2, 2, Kind.EXCEPTION, 8, Map.of()));
        enter(0, 3, 410);
        enter(2, 3, 410);
        assertThat(clock.takeOver()).isEmpty();

        enter(1, 3, 415);

        assertThat(clock.takeOver()).contains(new Restart(2, "exception", 2, 15, Map.of()));
    }

    @Test
    void restartIsOverWhenThoseWhoJoinedWithItAreThere() {
        enterAll(0, 0);
        killRankOneAndLetRankThreeJoin();
        assertThat(clock.takeOver()).isEmpty();

        clock.entered(1, 3, 1, 130 * MILLI);

        assertThat(clock.takeOver()).contains(new Restart(0, "kill", 1, 30, Map.of()));
    }

    @Test
    void restartDoesNotWaitForAJoinerThatDied() {
        enterAll(0, 0);
        killRankOneAndLetRankThreeJoin();

        clock.reported(report(1, 3, Kind.TERMINATED, 8, Map.of()));

        assertThat(clock.takeOver()).contains(new Restart(0, "kill", 1, 11, Map.of()));
    }

    private void killRankOneAndLetRankThreeJoin() {
        clock.injected(KILL, 100 * MILLI);
        clock.lost(1);
        clock.reported(new DemoEvent.Restarted(0, 1, Kind.TERMINATED, List.of(3), 8 * MILLI, Map.of()));
        enter(0, 1, 110);
        enter(2, 1, 111);
    }

    @Test
    void nextGenerationHasRestartsAlthoughNobodyReportedTheEndOfTheFirst() {
        enterAll(0, 0);
        enterAll(100, 200);
        clock.injected(EXCEPTION, 300 * MILLI);
        clock.reported(report(100, 2, Kind.EXCEPTION, 8, Map.of()));
        enterAll(101, 314);

        assertThat(clock.takeOver()).contains(new Restart(100, "exception", 2, 14, Map.of()));
    }

    @Test
    void reportThatComesAfterTheRestartIsOverChangesNothing() {
        enterAll(0, 0);
        clock.reported(report(0, 1, Kind.SOFT_TIMEOUT, 8, Map.of()));
        enterAll(1, 100);
        assertThat(clock.takeOver()).isPresent();

        clock.reported(report(0, 1, Kind.SOFT_TIMEOUT, 9, Map.of()));

        assertThat(clock.takeOver()).isEmpty();
    }

    private void enterAll(int iteration, long millis) {
        for (int rank = 0; rank < 3; rank++) {
            enter(rank, iteration, millis);
        }
    }

    private void enter(int rank, int iteration, long millis) {
        clock.entered(rank, rank, iteration, millis * MILLI);
    }

    private static DemoEvent.Restarted report(
            int iteration, int rank, Kind cause, double totalMs, Map<Phase, Double> phaseMs) {
        Map<Phase, Long> phases = new EnumMap<>(Phase.class);
        phaseMs.forEach((phase, millis) -> phases.put(phase, nanos(millis)));
        return new DemoEvent.Restarted(iteration, rank, cause, List.of(), nanos(totalMs), phases);
    }

    private static long nanos(double millis) {
        return Math.round(millis * MILLI);
    }
}

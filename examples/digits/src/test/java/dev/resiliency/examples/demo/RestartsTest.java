package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.demo.DemoEvent.Failed;
import dev.resiliency.examples.demo.DemoEvent.Report;
import dev.resiliency.examples.demo.DemoEvent.Restarted;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.RestartReport.Phase;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RestartsTest {
    private static final TrainingFault EXCEPTION = TrainingFault.parse("exception:2@600");
    private static final TrainingFault KILL = TrainingFault.parse("kill:1@600");

    private final Restarts restarts = new Restarts();
    private final List<RankStatus> ranks =
            Stream.of(0, 1, 2).map(rank -> new RankStatus(rank, null)).toList();

    @Test
    void restartLastsFromTheFaultUntilTheLastRankIsBack() {
        enterAll(0, 0);
        inject(0, EXCEPTION, 100);
        reported(0, 2, Kind.EXCEPTION, Map.of(Phase.LAST_CALL, 1_000_000L, Phase.STOP, 3_000_000L));
        reported(0, 2, Kind.EXCEPTION, Map.of(Phase.LAST_CALL, 3_000_000L, Phase.STOP, 1_000_000L));
        enter(Events.entered(0, 1, 110));
        enter(Events.entered(2, 1, 114));
        assertThat(next()).isEmpty();

        enter(Events.entered(1, 1, 112));

        assertThat(next()).contains(restart(0, "exception", 2, 14, Map.of("lastCall", 3.0, "stop", 3.0)));
        assertThat(next()).isEmpty();
    }

    @Test
    void noRestartWaitsForTheKilledRank() {
        enterAll(0, 0);
        inject(0, KILL, 100);
        lose(1);
        reported(0, 1, Kind.TERMINATED);
        enter(Events.entered(0, 1, 120));
        enter(Events.entered(2, 1, 121));

        assertThat(next()).contains(restart(0, "kill", 1, 21));
    }

    @Test
    void rankMayMissAnIterationThatIsInterruptedRightAway() {
        enterAll(0, 0);
        inject(0, EXCEPTION, 100);
        reported(0, 2, Kind.EXCEPTION);
        reported(1, 1, Kind.TERMINATED);
        enter(Events.entered(0, 1, 110));
        enter(Events.entered(0, 2, 120));
        enter(Events.entered(1, 2, 121));
        enter(Events.entered(2, 2, 122));

        assertThat(next()).contains(restart(0, "exception", 2, 22));
        assertThat(next()).contains(restart(1, "terminated", 1, 8));
        assertThat(next()).isEmpty();
    }

    @Test
    void restartWithoutAnInjectedFaultHasTheCauseThatTheRanksReport() {
        enterAll(0, 0);
        restarts.reported(new Restarted(0, 1, Kind.SOFT_TIMEOUT, List.of(), 8_123_400, Map.of(Phase.ABORT, 123_450L)));
        restarts.reported(new Restarted(0, 1, Kind.SOFT_TIMEOUT, List.of(), 9_876_500, Map.of(Phase.ABORT, 100_000L)));
        enterAll(1, 100);

        assertThat(next()).contains(restart(0, "soft_timeout", 1, 9.876, Map.of("abort", 0.123)));
    }

    @Test
    void ofTwoFaultsInOneIterationTheEarlierCounts() {
        enterAll(0, 0);
        inject(0, KILL, 104);
        inject(0, EXCEPTION, 100);
        reported(0, 2, Kind.EXCEPTION);
        enterAll(1, 111);

        assertThat(next()).contains(restart(0, "exception", 2, 11));
    }

    @Test
    void lostRankThatIsBackIsAwaitedAgain() {
        enterAll(0, 0);
        lose(1);
        enterAll(1, 100);
        inject(1, EXCEPTION, 400);
        reported(1, 2, Kind.EXCEPTION);
        enter(Events.entered(0, 2, 410));
        enter(Events.entered(2, 2, 410));
        assertThat(next()).isEmpty();

        enter(Events.entered(1, 2, 415));

        assertThat(next()).contains(restart(1, "exception", 2, 15));
    }

    @Test
    void restartIsOverWhenThoseWhoJoinedWithItAreThereUnlessTheyDied() {
        enterAll(0, 0);
        inject(0, KILL, 100);
        lose(1);
        reported(0, 1, Kind.TERMINATED, Map.of(), 3);
        enter(Events.entered(0, 1, 110));
        enter(Events.entered(2, 1, 111));
        assertThat(next()).isEmpty();

        enter(Events.joined(1, 3, 1, 130));
        assertThat(next()).contains(restart(0, "kill", 1, 30));

        reported(1, 1, Kind.TERMINATED, Map.of(), 4);
        enterAll(2, 200);
        assertThat(next()).isEmpty();
        reported(2, 4, Kind.TERMINATED);
        assertThat(next()).contains(restart(1, "terminated", 1, 8));
    }

    @Test
    void nextGenerationHasRestartsAlthoughNobodyReportedTheEndOfTheFirst() {
        enterAll(0, 0);
        enterAll(100, 200);
        inject(100, EXCEPTION, 300);
        reported(100, 2, Kind.EXCEPTION);
        enterAll(101, 314);

        assertThat(next()).contains(restart(100, "exception", 2, 14));
    }

    @Test
    void reportThatComesAfterTheRestartIsOverChangesNothing() {
        enterAll(0, 0);
        reported(0, 1, Kind.SOFT_TIMEOUT);
        enterAll(1, 100);
        assertThat(next()).isPresent();

        reported(0, 1, Kind.SOFT_TIMEOUT);

        assertThat(next()).isEmpty();
    }

    private void enterAll(int iteration, long millis) {
        for (int rank = 0; rank < ranks.size(); rank++) {
            enter(Events.entered(rank, iteration, millis));
        }
    }

    private void enter(Report entry) {
        RankStatus status = ranks.get(entry.rank());
        status.apply(entry.event(), entry.nanos());
        restarts.entered(status.number);
    }

    private void lose(int rank) {
        ranks.get(rank).apply(new Failed("gone"), 0);
    }

    private void inject(int iteration, TrainingFault fault, long millis) {
        restarts.injected(iteration, fault, millis * Events.MILLI);
    }

    private void reported(int iteration, int rank, Kind cause) {
        reported(iteration, rank, cause, Map.of());
    }

    private void reported(int iteration, int rank, Kind cause, Map<Phase, Long> phases, Integer... joined) {
        restarts.reported(new Restarted(iteration, rank, cause, List.of(joined), 8 * Events.MILLI, phases));
    }

    private Optional<Restart> next() {
        return restarts.next(ranks);
    }

    private static Restart restart(int iteration, String cause, int rank, double totalMs) {
        return restart(iteration, cause, rank, totalMs, Map.of());
    }

    private static Restart restart(int iteration, String cause, int rank, double total, Map<String, Double> phases) {
        return new Restart(iteration, cause, rank, total, phases, null);
    }
}

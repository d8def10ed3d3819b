package dev.resiliency.examples.demo;

import static dev.resiliency.examples.demo.Events.entered;
import static dev.resiliency.examples.demo.Events.fault;
import static dev.resiliency.examples.demo.Events.restarted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.demo.DemoEvent.Report;
import dev.resiliency.examples.demo.DemoEvent.Restarted;
import dev.resiliency.inprocess.Interruption.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestartsTest {
    private static final String EXCEPTION = "exception:2@60";
    private static final String KILL = "kill:1@60";

    private final Board board = Events.board(3, 3, true, EXCEPTION, KILL);

    RestartsTest() {
        enterAll(0, 0);
    }

    @Test
    void restartLastsFromTheFaultUntilTheLastRankIsBack() {
        apply(fault(2, EXCEPTION, 60, 100));
        apply(seen("exception", 2, 10));
        apply(seen("exception", 2, 10));
        apply(entered(0, 1, 110), entered(2, 1, 114));
        assertThat(board.restarts()).isEmpty();

        apply(entered(1, 1, 112));

        assertThat(board.restarts()).containsExactly(new Restart(0, "exception", 2, 14, null));
    }

    @Test
    void noRestartWaitsForTheKilledRank() {
        apply(fault(1, KILL, 60, 100), restarted(0, 110, 0, 1, Kind.TERMINATED));
        apply(entered(0, 1, 120), entered(2, 1, 121));

        assertThat(board.restarts()).containsExactly(restart(0, "kill", 1, 21));
    }

    @Test
    void rankMayMissAnIterationThatIsInterruptedRightAway() {
        apply(fault(2, EXCEPTION, 60, 100), restarted(0, 101, 0, 2, Kind.EXCEPTION));
        apply(restarted(0, 111, 1, 1, Kind.TERMINATED));
        apply(entered(0, 1, 110), entered(0, 2, 120), entered(1, 2, 121), entered(2, 2, 122));

        assertThat(board.restarts()).containsExactly(restart(0, "exception", 2, 22), restart(1, "terminated", 1, 8));
    }

    @Test
    void restartWithoutAnInjectedFaultHasTheCauseAndTheLongestTimesThatTheRanksReport() {
        apply(seen("soft_timeout", 1, 8.123));
        apply(seen("soft_timeout", 1, 9.876));
        enterAll(1, 100);

        assertThat(board.restarts()).containsExactly(new Restart(0, "soft_timeout", 1, 9.876, null));
    }

    @Test
    void ofTwoFaultsInOneIterationTheEarlierCounts() {
        apply(fault(1, KILL, 60, 104), fault(2, EXCEPTION, 60, 100), restarted(0, 105, 0, 2, Kind.EXCEPTION));
        apply(entered(0, 1, 111), entered(2, 1, 111));

        assertThat(board.restarts()).containsExactly(restart(0, "exception", 2, 11));
    }

    @Test
    void restartIsOverWhenThoseWhoJoinedWithItAreThereUnlessTheyDied() {
        apply(fault(1, KILL, 60, 100), restarted(0, 101, 0, 1, Kind.TERMINATED, 3));
        board.startsAgain(1, 4711);
        apply(entered(0, 1, 110), entered(2, 1, 111));
        assertThat(board.restarts()).isEmpty();

        apply(Events.joined(1, 3, 1, 130));
        assertThat(board.restarts()).containsExactly(restart(0, "kill", 1, 30));

        apply(restarted(0, 140, 1, 1, Kind.TERMINATED, 4));
        enterAll(2, 200);
        assertThat(board.restarts()).hasSize(1);
        apply(restarted(0, 210, 2, 4, Kind.TERMINATED));
        assertThat(board.restarts()).last().isEqualTo(restart(1, "terminated", 1, 8));
    }

    private void enterAll(int iteration, long millis) {
        for (int rank = 0; rank < board.ranks.size(); rank++) {
            apply(entered(rank, iteration, millis));
        }
    }

    private void apply(Report... reports) {
        List.of(reports).forEach(board::apply);
    }

    /** Rank 0 saw a restart of the first iteration. */
    private static Report seen(String cause, int rank, double totalMs) {
        return Events.report(0, 0, new Restarted(new Restart(0, cause, rank, totalMs, null), List.of()));
    }

    private static Restart restart(int iteration, String cause, int rank, double totalMs) {
        return new Restart(iteration, cause, rank, totalMs, null);
    }
}

package dev.resiliency.examples.bench.chaos;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.List;

/** A job of three ranks, all active, whose events a test provides. */
final class ScriptedJob {
    static final int RANKS = 3;

    final JobSettings settings;
    final JobBoard board;
    private int strikes;

    ScriptedJob(boolean hosted, boolean patient) {
        settings = new JobSettings(1, RANKS, RANKS, hosted, patient, Duration.ZERO, 10);
        board = new JobBoard(settings, new Timeline(0));
    }

    /** Makes the ranks start an iteration, in this order, and enter their function. */
    void start(int iteration, int... ranks) {
        for (int i = 0; i < ranks.length; i++) {
            starts(ranks[i], iteration, i, ranks.length);
            board.apply(ranks[i], new ChaosEvent.Entered(iteration, 0));
        }
    }

    void starts(int initialRank, int iteration, int rank, int worldSize) {
        board.apply(initialRank, new ChaosEvent.Started(iteration, rank, worldSize, rank, worldSize, 0));
    }

    /** Orders a strike, which happens in this iteration. */
    Strike strike(FaultKind kind, Place place, int rank, int iteration) {
        Strike strike = new Strike(strikes++, kind, place, rank, Duration.ZERO);
        board.ordered(strike);
        board.apply(rank, new ChaosEvent.Struck(strike.id(), iteration, 0));
        return strike;
    }

    /** Makes these ranks restart after the iteration, with the same reasons. */
    void restarted(int iteration, List<ChaosEvent.Reason> reasons, int... ranks) {
        for (int rank : ranks) {
            board.apply(rank, new ChaosEvent.Restarted(iteration, reasons, 0, 0));
        }
    }

    static ChaosEvent.Reason reason(int rank, Interruption.Kind kind) {
        return new ChaosEvent.Reason(rank, kind, "message");
    }
}

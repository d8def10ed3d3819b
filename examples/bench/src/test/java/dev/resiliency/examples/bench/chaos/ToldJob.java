package dev.resiliency.examples.bench.chaos;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.fault.FaultKind;
import java.time.Duration;
import java.util.List;

/** A job of three ranks, all active, of which a test tells what happens. */
final class ToldJob {
    static final int RANKS = 3;

    final JobSettings settings;
    final JobBoard board;
    private int strikes;

    ToldJob(boolean hosted, boolean patient) {
        settings = new JobSettings(1, RANKS, RANKS, hosted, patient, Duration.ZERO, 10);
        board = new JobBoard(settings, new Timeline(0));
    }

    /** They start an iteration, in this order, and are in their function. */
    void start(int iteration, int... ranks) {
        for (int i = 0; i < ranks.length; i++) {
            starts(ranks[i], iteration, i, ranks.length);
            board.told(ranks[i], new ChaosEvent.Entered(iteration, 0));
        }
    }

    void starts(int initialRank, int iteration, int rank, int worldSize) {
        board.told(initialRank, new ChaosEvent.Started(iteration, rank, worldSize, rank, worldSize, 0));
    }

    /** The strike is ordered, and happens in this iteration. */
    Strike strike(FaultKind kind, Place place, int rank, int iteration) {
        Strike strike = new Strike(strikes++, kind, place, rank, Duration.ZERO);
        board.ordered(strike);
        board.told(rank, new ChaosEvent.Struck(strike.id(), iteration, 0));
        return strike;
    }

    /** These ranks have restarted after the iteration, and were told the same. */
    void restarted(int iteration, List<ChaosEvent.Reason> reasons, int... ranks) {
        for (int rank : ranks) {
            board.told(rank, new ChaosEvent.Restarted(iteration, reasons, 0, 0));
        }
    }

    static ChaosEvent.Reason reason(int rank, Interruption.Kind kind) {
        return new ChaosEvent.Reason(rank, kind, "message");
    }
}

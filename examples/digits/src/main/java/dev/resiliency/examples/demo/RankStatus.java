package dev.resiliency.examples.demo;

import dev.resiliency.inprocess.fault.FaultKind.Effect;
import java.util.Objects;

/** How one rank fares, as far as it has told. */
final class RankStatus {
    private Phase phase = Phase.STARTING;
    private int iteration;
    private int step;
    private double loss = Double.NaN;
    private double accuracy = Double.NaN;
    private boolean ended;
    private boolean standsStill;

    /** What a rank is at. */
    enum Phase {
        /** Its process starts, and waits for the others. */
        STARTING("starting"),
        /** It waits until another rank is lost. */
        SPARE("spare"),
        /** It is in the training function. */
        TRAINING("training"),
        /** A fault was injected that it will survive; it has not entered the function again. */
        RESTARTING("restarting"),
        /** A fault was injected that it will not survive. */
        LOST("lost"),
        /** It has trained to the end, or was a spare to the end. */
        FINISHED("finished"),
        /** It has left the job for a reason of its own. */
        FAILED("failed");

        private final String label;

        Phase(String label) {
            this.label = label;
        }

        /** For people. */
        @Override
        public String toString() {
            return label;
        }
    }

    void apply(RankEvent event) {
        if (event instanceof RankEvent.Entered entered) {
            phase = Phase.TRAINING;
            iteration = entered.iteration();
        } else if (event instanceof RankEvent.StandsBy standsBy) {
            phase = Phase.SPARE;
            iteration = standsBy.iteration();
        } else if (event instanceof RankEvent.Restored restored) {
            step = restored.step();
        } else if (event instanceof RankEvent.Measured measured) {
            step = measured.step();
            loss = measured.loss();
            accuracy = measured.accuracy();
        } else if (event instanceof RankEvent.FaultDue due) {
            step = due.step();
            Effect effect = due.fault().kind().effect();
            phase = effect == Effect.RESTART ? Phase.RESTARTING : Phase.LOST;
            standsStill = effect == Effect.SILENCE;
        } else if (event instanceof RankEvent.Finished finished) {
            phase = Phase.FINISHED;
            accuracy = Objects.requireNonNullElse(finished.accuracy(), Double.NaN);
        } else if (event instanceof RankEvent.Failed) {
            phase = Phase.FAILED;
        }
    }

    /** Its process is gone. */
    void ended() {
        ended = true;
        if (!isOver()) {
            phase = Phase.FAILED;
        }
    }

    Phase phase() {
        return phase;
    }

    int iteration() {
        return iteration;
    }

    /** The last step that it told of; after a restart, the one from which it goes on. */
    int step() {
        return step;
    }

    /** NaN if none was measured yet. */
    double loss() {
        return loss;
    }

    /** NaN if none was measured yet. */
    double accuracy() {
        return accuracy;
    }

    /** Whether it trains no more. */
    boolean isOver() {
        return phase == Phase.LOST || phase == Phase.FINISHED || phase == Phase.FAILED;
    }

    /** Whether its process is gone. */
    boolean hasEnded() {
        return ended;
    }

    /** Whether its process is there, but will not be heard of any more. */
    boolean standsStill() {
        return standsStill;
    }
}

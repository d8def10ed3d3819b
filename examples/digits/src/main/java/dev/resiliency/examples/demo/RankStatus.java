package dev.resiliency.examples.demo;

import dev.resiliency.testing.FaultKind.Effect;
import java.util.Objects;

/** State of one rank, as far as it has reported it. */
final class RankStatus {
    private Phase phase = Phase.STARTING;
    private int number;
    private int iteration = -1;
    private int step;
    private double loss = Double.NaN;
    private double accuracy = Double.NaN;
    private boolean hasWaited;
    private boolean ended;
    private boolean standsStill;

    RankStatus(int rank) {
        number = rank;
    }

    /** What a rank is doing. */
    enum Phase {
        /** No process of it was started yet. */
        NOT_THERE("not there"),
        /** Its process starts. */
        STARTING("starting"),
        /** It waits until the job begins, or takes it in. */
        WAITING("waiting"),
        /** It waits until another rank is lost. */
        RESERVE("reserve"),
        /** It runs the training function. */
        TRAINING("training"),
        /** A fault was injected that it survives; it has not entered the function again. */
        RESTARTING("restarting"),
        /** A fault was injected that it does not survive. */
        LOST("lost"),
        /** It finished the training, or was a reserve until the end. */
        FINISHED("finished"),
        /** It left the job without an injected fault. */
        FAILED("failed");

        private final String label;

        Phase(String label) {
            this.label = label;
        }

        /** Returns the label that people read. */
        @Override
        public String toString() {
            return label;
        }
    }

    void apply(DemoEvent event) {
        if (event instanceof DemoEvent.Waits) {
            phase = Phase.WAITING;
            hasWaited = true;
        } else if (event instanceof DemoEvent.Entered entered) {
            phase = Phase.TRAINING;
            iteration = entered.iteration();
            number = entered.place().number();
        } else if (event instanceof DemoEvent.StandsBy standsBy) {
            phase = Phase.RESERVE;
            iteration = standsBy.iteration();
            number = standsBy.place().number();
        } else if (event instanceof DemoEvent.Recovered recovered) {
            step = recovered.step();
        } else if (event instanceof DemoEvent.Measured measured) {
            step = measured.step();
            loss = measured.loss();
            accuracy = measured.accuracy();
        } else if (event instanceof DemoEvent.FaultDue due) {
            step = due.step();
            Effect effect = due.fault().kind().effect();
            phase = effect == Effect.RESTART ? Phase.RESTARTING : Phase.LOST;
            standsStill = effect == Effect.SILENCE;
        } else if (event instanceof DemoEvent.Finished finished) {
            phase = Phase.FINISHED;
            accuracy = Objects.requireNonNullElse(finished.accuracy(), Double.NaN);
        } else if (event instanceof DemoEvent.Failed) {
            phase = Phase.FAILED;
        }
    }

    /** Records that another process takes the place of the one that it had. */
    void startsAgain() {
        phase = Phase.STARTING;
        iteration = -1;
        step = 0;
        loss = Double.NaN;
        accuracy = Double.NaN;
        hasWaited = false;
        ended = false;
        standsStill = false;
    }

    /** Records that no process of it was started yet. */
    void notThereYet() {
        phase = Phase.NOT_THERE;
    }

    /** Records that its process is killed from outside. */
    void killed() {
        phase = Phase.LOST;
    }

    /** Records that its process is gone. */
    void ended() {
        ended = true;
        if (!isOver()) {
            phase = Phase.FAILED;
        }
    }

    Phase phase() {
        return phase;
    }

    /** Returns what the job calls it, or has called the process before, until it takes part. */
    int number() {
        return number;
    }

    /** Returns whether its process waited for the job at some time. */
    boolean hasWaited() {
        return hasWaited;
    }

    /** Returns whether its process has taken part in an iteration. */
    boolean hasEntered() {
        return iteration >= 0;
    }

    /** Returns the iteration that its process has entered last; 0 if it has not entered one. */
    int iteration() {
        return Math.max(0, iteration);
    }

    /** Returns the last step that it reported; after a restart, that of the state that it goes on with. */
    int step() {
        return step;
    }

    /** Returns the latest loss, NaN if there is none yet. */
    double loss() {
        return loss;
    }

    /** Returns the latest accuracy, NaN if there is none yet. */
    double accuracy() {
        return accuracy;
    }

    /** Returns whether it has stopped training. */
    boolean isOver() {
        return phase == Phase.LOST || phase == Phase.FINISHED || phase == Phase.FAILED;
    }

    /** Returns whether its process is gone. */
    boolean hasEnded() {
        return ended;
    }

    /** Returns whether its process is there, but frozen for good. */
    boolean standsStill() {
        return standsStill;
    }
}

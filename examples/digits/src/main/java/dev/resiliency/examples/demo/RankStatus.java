package dev.resiliency.examples.demo;

import java.util.Locale;

/** What is known of the latest process of a rank. Only the {@link Board} changes it. */
final class RankStatus {
    Phase phase = Phase.STARTING;
    /** What the job calls it; until it takes part, what the job called the process before. */
    int number;

    boolean hasEntered;
    /** The last iteration that it has entered; 0 before the first. */
    int iteration;
    /** When it did so. */
    long enteredAt;

    int generation;
    /** The last step that it reported; after a restart, that of the state that it goes on with. */
    int step;

    double loss = Double.NaN;
    double accuracy = Double.NaN;
    boolean hasWaited;
    /** Whether it is gone. */
    boolean ended;
    /** Whether it is there, but frozen for good. */
    boolean standsStill;

    /** What a rank is doing. */
    enum Phase {
        /** Its process starts. */
        STARTING,
        /** It waits until the job begins, or takes it in. */
        WAITING,
        /** It waits until another rank is lost. */
        RESERVE,
        /** It runs the training function. */
        TRAINING,
        /** A fault was injected that it survives; it has not entered the function again. */
        RESTARTING,
        /** A fault was injected that it does not survive. */
        LOST,
        /** It finished the training, or was a reserve until the end. */
        FINISHED,
        /** It left the job without an injected fault. */
        FAILED;

        /** Returns what people read. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    RankStatus(int number) {
        this.number = number;
    }

    /** Returns whether it takes part in the job now. */
    boolean takesPart() {
        return phase == Phase.RESERVE || phase == Phase.TRAINING || phase == Phase.RESTARTING;
    }

    /** Returns whether it has stopped training. */
    boolean isOver() {
        return phase == Phase.LOST || phase == Phase.FINISHED || phase == Phase.FAILED;
    }
}

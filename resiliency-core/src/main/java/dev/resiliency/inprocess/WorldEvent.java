package dev.resiliency.inprocess;

import dev.resiliency.store.IndexSet;
import java.time.Instant;

/**
 * A change of the world in which a rank's function runs: who takes part, and whether it runs. {@link
 * RestartListener#worldChanged} receives each as it happens, and {@link CallWrapper#lastEvent} returns the one that led to
 * the current world. Corresponds to the worker events of torchelastic's soft restarts: the function is paused by a {@link
 * RestartSignal}, and its next call goes on in the new world.
 *
 * @since 0.1.0
 */
public sealed interface WorldEvent {

    /** Returns the number of the iteration that begins with the event, or in which it happens. */
    int iteration();

    /** Returns how many ranks run the function in that iteration. */
    int activeWorldSize();

    /** Returns when it happened, by the clock of this host. */
    Instant time();

    /** This process takes part from now on: sent with its first iteration, as a founder, a joiner or a reserve. */
    record Started(int iteration, int activeWorldSize, Instant time) implements WorldEvent {
        /** An event that happens now. */
        public Started(int iteration, int activeWorldSize) {
            this(iteration, activeWorldSize, Instant.now());
        }
    }

    /** The iteration has been interrupted, and the function of this rank is about to be stopped. A restart follows. */
    record Pausing(int iteration, int activeWorldSize, Instant time) implements WorldEvent {
        /** An event that happens now. */
        public Pausing(int iteration, int activeWorldSize) {
            this(iteration, activeWorldSize, Instant.now());
        }
    }

    /**
     * This rank is to leave on purpose: its process has received a signal of {@link Wrapper.Builder#leaveOn}, or its
     * function has called {@link CallWrapper#leave}. It leaves at the next safe point, or with the next restart. Sent
     * again if the iteration begins anew before that.
     */
    record Draining(int iteration, int activeWorldSize, Instant time) implements WorldEvent {
        /** An event that happens now. */
        public Draining(int iteration, int activeWorldSize) {
            this(iteration, activeWorldSize, Instant.now());
        }
    }

    /** All active ranks have completed; no other event follows. */
    record Completed(int iteration, int activeWorldSize, Instant time) implements WorldEvent {
        /** An event that happens now. */
        public Completed(int iteration, int activeWorldSize) {
            this(iteration, activeWorldSize, Instant.now());
        }
    }

    /**
     * The members of the job have changed with a restart: sent when the next iteration has started. A restart after which
     * the world is the same sends none of these.
     */
    sealed interface Changed extends WorldEvent {
        /** Returns how many ranks ran the function in the iteration before. */
        int activeWorldSizeBefore();

        /** Returns the initial ranks that were members of the iteration before, reserves included, and are none now. */
        IndexSet left();

        /** Returns the initial ranks that have joined, reserves included. */
        IndexSet came();
    }

    /** More ranks than before run the function. */
    record ScaledUp(
            int iteration, int activeWorldSizeBefore, int activeWorldSize, IndexSet left, IndexSet came, Instant time)
            implements Changed {
        /** An event that happens now. */
        public ScaledUp(int iteration, int activeWorldSizeBefore, int activeWorldSize, IndexSet left, IndexSet came) {
            this(iteration, activeWorldSizeBefore, activeWorldSize, left, came, Instant.now());
        }
    }

    /** Fewer ranks than before run the function. */
    record ScaledDown(
            int iteration, int activeWorldSizeBefore, int activeWorldSize, IndexSet left, IndexSet came, Instant time)
            implements Changed {
        /** An event that happens now. */
        public ScaledDown(int iteration, int activeWorldSizeBefore, int activeWorldSize, IndexSet left, IndexSet came) {
            this(iteration, activeWorldSizeBefore, activeWorldSize, left, came, Instant.now());
        }
    }

    /**
     * As many ranks as before run the function, but the members are others: a reserve or a joiner has taken the place of
     * one that left, or reserves have come or left.
     */
    record Replaced(int iteration, int activeWorldSize, IndexSet left, IndexSet came, Instant time) implements Changed {
        /** An event that happens now. */
        public Replaced(int iteration, int activeWorldSize, IndexSet left, IndexSet came) {
            this(iteration, activeWorldSize, left, came, Instant.now());
        }

        @Override
        public int activeWorldSizeBefore() {
            return activeWorldSize;
        }
    }
}

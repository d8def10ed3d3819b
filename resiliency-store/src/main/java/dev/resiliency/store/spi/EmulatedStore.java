package dev.resiliency.store.spi;

import java.time.Duration;

/**
 * A store on top of a {@link PlainStore}: its clients together build sets, barriers and watches from the plain verbs. All
 * clients of a key must use it this way, or know its format.
 *
 * <p>It behaves like every {@link SessionStore}, with these differences:
 *
 * <ul>
 *   <li>It {@linkplain #keepsSessions() keeps no sessions}: it accepts last wills, leases and their renewal, and ignores
 *       them. Others must detect the death of a client.
 *   <li>It finds changes by polling, at least every {@link Builder#pollInterval}. A watch reports what it finds: the last
 *       of several changes in between.
 *   <li>A batch runs in order but not atomically: others may see it half done.
 *   <li>A barrier is completed by a client that arrives or waits there. If its process dies while it runs the operations
 *       of {@link Barrier#whenComplete}, no one can pass.
 *   <li>If a barrier is deleted meanwhile, or before the waiting clients have polled it, they keep waiting.
 *   <li>It checks the kind of a key before it writes: two clients that write different kinds at the same time may both
 *       succeed.
 * </ul>
 *
 * <p>It uses the plain store, calls listeners and completes futures on one thread of its own.
 *
 * @since 0.1.0
 */
public interface EmulatedStore extends SessionStore {

    /** Returns a builder with the defaults. */
    static Builder builder() {
        return Implementations.newInstance(Builder.class);
    }

    /** The settings of an emulated store. */
    interface Builder {

        /** The limit of calls that do not name their own; 300 s by default. */
        Builder timeout(Duration timeout);

        /**
         * The longest pause between two looks at what is awaited or watched; 50 ms by default. Pauses start at 1 ms after
         * each change, and grow.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        Builder pollInterval(Duration pollInterval);

        /** Names the thread {@code resiliency-store-<name>}; {@code emulated} by default. */
        Builder name(String name);

        /** Starts the store's thread. Closing the store closes {@code plain}. */
        EmulatedStore build(PlainStore plain);
    }
}

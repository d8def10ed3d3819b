package dev.resiliency.examples.bench.store;

import java.util.function.IntFunction;

/** Protocol of a store. */
interface StoreWire extends Wire {
    /** Adds 1 to a counter. */
    Step add(String key);

    /** Reads an existing counter. */
    Step get(String key);

    /** Returns for each participant the step to arrive at a barrier and wait for all others. */
    IntFunction<Step> arrive(String barrier, int participants);

    /** Returns the same for a barrier at which a participant may arrive a second time. */
    IntFunction<Step> arriveAgain(String barrier, int participants);
}

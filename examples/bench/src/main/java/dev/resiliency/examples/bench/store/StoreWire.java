package dev.resiliency.examples.bench.store;

import java.util.function.IntFunction;

/** How a store is spoken to. */
interface StoreWire extends Wire {
    /** Adds 1 to a counter. */
    Step add(String key);

    /** Reads a counter that is there. */
    Step get(String key);

    /** For each participant, to arrive at a barrier and wait there for all others. */
    IntFunction<Step> arrive(String barrier, int participants);

    /** The same at a barrier that a participant may come to a second time. */
    IntFunction<Step> arriveAgain(String barrier, int participants);
}

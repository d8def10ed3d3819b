package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;

/** The names of the keys that the package documentation describes. */
final class Keys {
    static final String TERMS = "terms";
    static final String ARRIVALS = "arrivals";
    static final String CAME = "came";
    static final String GONE = "gone";
    static final String DONE = "done";
    static final String CYCLE = "cycle";
    static final String RESTARTS = "restarts";
    static final String END = "end";

    private Keys() {}

    static String prefix(String jobId) {
        return "agents/" + jobId;
    }

    static String node(int arrival) {
        return "nodes/" + arrival;
    }

    static String round(int cycle) {
        return "rounds/" + cycle;
    }

    static String seats(int cycle) {
        return "seats/" + cycle + "/";
    }

    static String seat(int cycle, int arrival) {
        return seats(cycle) + arrival;
    }

    static String drain(int arrival) {
        return "drains/" + arrival;
    }

    static String call(int cycle) {
        return "cycles/" + cycle;
    }

    /** Reads a key that may not exist; the result is then empty, and so is the key from now on. */
    static Operation<Value> peek(String key) {
        return new Operation.CompareAndSet(key, Value.empty(), Value.empty());
    }
}

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
    /** Who votes on where the job lives. */
    static final String WORLD = "world";
    /** Where the job lives, once it has moved. */
    static final String PLACE = "place";
    /** Those that accept whatever is decided next, as they leave. */
    static final String CEDED = "ceded";
    /** The barrier of those that have accepted that the job has completed. */
    static final String ACKNOWLEDGED = "acknowledged";

    static final String RESTARTS = "restarts";
    static final String END = "end";
    /** How long the sections of the job take. */
    static final String TIMES = "times";
    /** Whether the job gets on from restart to restart. */
    static final String PROGRESS = "progress";
    /** The number of nodes that {@code resiliency scale} has set. */
    static final String RANGE = "range";

    static final String LEAVING = "leaving";
    /** Those whose processes end before they leave. */
    static final String STOPPING = "stopping";
    /** Those of the {@link #GONE} that were not lost. */
    static final String LEFT = "left";

    static final String WAITING = "waiting";
    /** The numbers of the decisions about seats. */
    static final String TABLES = "tables";
    /** The counter of the events. */
    static final String EVENTS = "events";

    static final String EVENT_PREFIX = EVENTS + "/";
    static final String NODE_PREFIX = "nodes/";
    /** What each node knows of its ranks. */
    static final String RANK_PREFIX = "ranks/";

    static final String REPORT_PREFIX = "reports/";
    static final String SEAT_PREFIX = "seats/";

    /** What no key holds. */
    private static final Value NOTHING = Value.of("-");

    private Keys() {}

    static String prefix(String jobId) {
        return "agents/" + jobId;
    }

    /** Returns a key as it is without the prefix of the job. */
    static String inStore(String jobId, String key) {
        return prefix(jobId) + "/" + key;
    }

    static String node(int arrival) {
        return NODE_PREFIX + arrival;
    }

    static String ranks(int arrival) {
        return RANK_PREFIX + arrival;
    }

    static String name(String node) {
        return "names/" + node;
    }

    static String ready(int cycle) {
        return "ready/" + cycle;
    }

    /** Returns the set of agents whose ranks have all completed in a cycle. */
    static String completed(int cycle) {
        return "completed/" + cycle;
    }

    /** Returns where an agent would host the store. */
    static String server(int arrival) {
        return "servers/" + arrival;
    }

    /** Returns the barrier of those that have accepted who votes. */
    static String entered(int world) {
        return "worlds/" + world + "/entered";
    }

    /** Returns the claim of how a cycle ends. */
    static String outcome(int cycle) {
        return "outcome/" + cycle;
    }

    static String seats(int cycle) {
        return SEAT_PREFIX + cycle + "/";
    }

    static String seat(int cycle, int arrival) {
        return seats(cycle) + arrival;
    }

    static String master(int cycle) {
        return "masters/" + cycle;
    }

    static String drain(int arrival) {
        return "drains/" + arrival;
    }

    static String unhealthy(String node) {
        return "unhealthy/" + node;
    }

    /** Returns the key of an event; their alphabetical order is that of their numbers. */
    static String event(long number) {
        return EVENT_PREFIX + "%012d".formatted(number);
    }

    static long numberOfEvent(String key) {
        return Long.parseLong(key.substring(EVENT_PREFIX.length()));
    }

    /** Returns the claim of an event that is written once. */
    static String once(String what) {
        return "once/" + what;
    }

    /** Returns what {@link #once} takes for the event that a node has left, or is lost. */
    static String loss(int arrival) {
        return GONE + "/" + arrival;
    }

    /** Reads a key that may not exist; the result is then empty. */
    static Operation<Value> peek(String key) {
        return new Operation.CompareAndSet(key, NOTHING, NOTHING);
    }
}

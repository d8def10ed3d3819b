package dev.resiliency.inprocess.internal.protocol;

/** The names of a job's keys; the table in the package documentation describes their contents. */
final class JobKeys {
    /** The iteration before the first. */
    static final int BEFORE_FIRST = -1;

    static final String JOB = "job";
    static final String RUN = "run";
    static final String TERMINATED = "terminated";
    static final String TERMINATION = "termination";
    static final String HOST = "host";

    private JobKeys() {}

    static String claim(int rank) {
        return "ranks/" + rank;
    }

    static String groupKeys(int rank) {
        return "keys/" + rank;
    }

    static String heartbeats(int rank) {
        return "heartbeats/" + rank;
    }

    static String outcome(int k) {
        return key(k, "outcome");
    }

    static String records(int k) {
        return key(k, "records");
    }

    static String completed(int k) {
        return key(k, "completed");
    }

    /** Returns the iteration barrier at the end of {@code k}. */
    static String stopped(int k) {
        return k == BEFORE_FIRST ? "initial" : key(k, "stopped");
    }

    static String decision(int k) {
        return key(k, "decision");
    }

    static String world(int k) {
        return key(k, "world");
    }

    static String active(int k) {
        return key(k, "active");
    }

    static String state(int k) {
        return key(k, "state");
    }

    static String user(int k) {
        return key(k, "user");
    }

    /** Returns the prefix of all keys of an iteration. */
    static String prefix(int k) {
        return key(k, "");
    }

    private static String key(int k, String name) {
        return k + "/" + name;
    }
}

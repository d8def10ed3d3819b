package dev.resiliency.launcher.attribution.service;

/**
 * What the service recommends.
 *
 * @param action what to do
 * @param reason for people
 * @param source which part of the service says so: {@code rules} or {@code model}
 */
record Advice(Action action, String reason, String source) {
    static final String RULES = "rules";
    static final String MODEL = "model";

    /** What may be recommended. */
    enum Action {
        /** Another start would fail as well. */
        STOP,
        /** Another start may succeed. */
        RESTART,
        /** The job goes on already. */
        CONTINUE,
        /** Nothing says. */
        UNKNOWN
    }

    static Advice of(Action action, String reason) {
        return new Advice(action, reason, RULES);
    }
}

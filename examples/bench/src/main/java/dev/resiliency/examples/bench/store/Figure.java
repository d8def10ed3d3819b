package dev.resiliency.examples.bench.store;

import org.jspecify.annotations.Nullable;

/** A measured figure, and the goal of this project for it, with 16,384 clients. */
enum Figure {
    /** One client, one request after another. */
    ADD_ONE_CLIENT("add, 1 client", "µs"),
    /** The same. */
    GET_ONE_CLIENT("get, 1 client", "µs"),
    /** 256 clients, each one request after another. */
    ADD_MANY_CLIENTS("add, 256 clients", "/s"),
    /** The same. */
    GET_MANY_CLIENTS("get, 256 clients", "/s"),
    /** From the first connect to the end of the last handshake. */
    CONNECT("connect storm, handshake", "ms"),
    /** All arrive at a barrier: from the first arrival to the last release. */
    BARRIER_ALL("barrier, all at once", "ms"),
    /** All watch a key: from its change to the last notification. */
    FAN_OUT("fan-out of a change", "ms", 1.15, true),
    /** Resident memory of the server with its sessions, after all of the above. */
    MEMORY("memory, idle sessions", "MB", 400, false),
    /** Fraction of a core that the heartbeats of the sessions cost. */
    HEARTBEATS("heartbeats, of a core", "%", 3, false);

    private final String title;
    private final String unit;
    private final double goal;
    private final boolean isRatio;

    Figure(String title, String unit) {
        this(title, unit, Double.NaN, false);
    }

    /** Has an upper limit of the figure itself, or of its ratio to that of the floor. */
    Figure(String title, String unit, double goal, boolean isRatio) {
        this.title = title;
        this.unit = unit;
        this.goal = goal;
        this.isRatio = isRatio;
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    /** Returns a text such as {@code ≤ 1.15 × floor}; null without a goal. */
    @Nullable
    String goal() {
        String limit = goal == Math.rint(goal) ? Long.toString((long) goal) : Double.toString(goal);
        return Double.isNaN(goal) ? null : "≤ " + limit + (isRatio ? " × floor" : "");
    }

    /** Returns whether the goal is met; true without a goal, or if nothing was measured. */
    boolean isMet(double median, @Nullable Double ratioToFloor) {
        Double judged = isRatio ? ratioToFloor : (Double) median;
        return Double.isNaN(goal) || judged == null || judged <= goal;
    }
}

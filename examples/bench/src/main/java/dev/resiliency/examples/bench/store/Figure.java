package dev.resiliency.examples.bench.store;

import static dev.resiliency.examples.bench.store.Target.ServerKind.FLOOR;
import static dev.resiliency.examples.bench.store.Target.ServerKind.PEER;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A measured figure. */
enum Figure {
    /** One client, one request after another. */
    ADD_ONE_CLIENT("add, 1 client", "µs", Goal.atMost(1.05, PEER)),
    /** The same; PyTorch's client takes two round trips. */
    GET_ONE_CLIENT("get, 1 client", "µs", Goal.atMost(0.6, PEER)),
    /** 256 clients, each one request after another. */
    ADD_MANY_CLIENTS("add, 256 clients", "/s", Goal.atLeast(1.1, PEER)),
    /** The same. */
    GET_MANY_CLIENTS("get, 256 clients", "/s", Goal.atLeast(1.6, PEER)),
    /** From the first connect to the end of the last handshake. */
    CONNECT("connect storm, handshake", "ms", Goal.atMost(1.1, PEER)),
    /** All but one wait at a barrier: from the last arrival to the last release. */
    BARRIER_LAST("barrier, last arrival", "ms", Goal.atMost(1.15, FLOOR)),
    /** All arrive at a barrier: from the first arrival to the last release. */
    BARRIER_ALL("barrier, all at once", "ms", null),
    /** The same; for the peer, one at which a rank may arrive twice. Ours always allow that. */
    BARRIER_AGAIN("barrier, all, reentrant", "ms", Goal.atMost(0.35, PEER)),
    /** All watch a key: from its change to the last notification. The peer's clients wait for it to exist. */
    FAN_OUT("fan-out of a change", "ms", Goal.atMost(1.15, FLOOR)),
    /** Resident memory of the server with its sessions, after all of the above. */
    MEMORY("memory, idle sessions", "MB", Goal.atMost(400)),
    /** Peak resident memory of the server. */
    MEMORY_PEAK("memory, peak", "MB", null),
    /** Fraction of a core that the heartbeats of the sessions cost. The peer's clients send none. */
    HEARTBEATS("heartbeats, of a core", "%", Goal.atMost(3));

    private final String title;
    private final String unit;

    @SuppressWarnings("ImmutableEnumChecker") // records are immutable
    private final @Nullable Goal goal;

    Figure(String title, String unit, @Nullable Goal goal) {
        this.title = title;
        this.unit = unit;
        this.goal = goal;
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    Optional<Goal> goal() {
        return Optional.ofNullable(goal);
    }
}

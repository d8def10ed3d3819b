package dev.resiliency.inprocess.internal.signal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The handling of a signal until it is closed; afterwards the process treats the signal as before. Several parts of a
 * process may handle the same signal: all are called. Safe for use by many threads.
 */
public final class HandledSignal implements AutoCloseable {
    /** What is handled now, by the names of the signals. Guarded by itself, with its contents. */
    private static final Map<String, Shared> SHARED = new HashMap<>();

    private final JvmSignal signal;
    private final Runnable action;
    private final boolean isIgnored;

    private HandledSignal(JvmSignal signal, Runnable action, boolean isIgnored) {
        this.signal = signal;
        this.action = action;
        this.isIgnored = isIgnored;
    }

    /** The actions of all who handle a signal, and the handler before them. */
    private static final class Shared {
        final List<Runnable> actions = new ArrayList<>();
        final Object before;

        Shared(JvmSignal signal) {
            before = signal.install(JvmSignal.handler(() -> run(signal)));
        }
    }

    /**
     * Calls the action for each signal from now on, on a thread of the JVM that may wait.
     *
     * @throws IllegalArgumentException if the JVM uses the signal itself
     */
    public static HandledSignal begin(JvmSignal signal, Runnable action) {
        synchronized (SHARED) {
            Shared shared = SHARED.computeIfAbsent(signal.name(), absent -> new Shared(signal));
            shared.actions.add(action);
            return new HandledSignal(signal, action, isIgnored(signal, shared));
        }
    }

    /** The JVM does not take over these signals from a parent that ignores them. */
    private static boolean isIgnored(JvmSignal signal, Shared shared) {
        return shared.before == JvmSignal.ignored()
                && List.of("SIGHUP", "SIGINT", "SIGTERM").contains(signal.name());
    }

    private static void run(JvmSignal signal) {
        List<Runnable> actions;
        synchronized (SHARED) {
            Shared shared = SHARED.get(signal.name());
            actions = shared == null ? List.of() : List.copyOf(shared.actions);
        }
        for (Runnable action : actions.subList(0, Math.max(0, actions.size() - 1))) {
            Thread thread = new Thread(action, signal.name() + " handler");
            thread.setDaemon(true);
            thread.start();
        }
        if (!actions.isEmpty()) {
            actions.get(actions.size() - 1).run();
        }
    }

    /** Returns whether the process ignores the signal since its start, so that the action is never called. */
    public boolean isIgnored() {
        return isIgnored;
    }

    /** Ends the handling. */
    @Override
    public void close() {
        synchronized (SHARED) {
            Shared shared = SHARED.get(signal.name());
            if (shared != null && shared.actions.remove(action) && shared.actions.isEmpty()) {
                SHARED.remove(signal.name());
                signal.install(shared.before);
            }
        }
    }
}

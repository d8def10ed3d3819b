package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.inprocess.internal.signal.JvmSignal;
import java.util.List;

/**
 * Ignores signals that reach a whole process group, such as Ctrl-C in a terminal, or all processes of a job, such as one
 * that announces a preemption: they are meant for the ranks. Monitor
 * processes outlive their ranks to report their deaths, and then end by themselves.
 */
final class IgnoredSignals {
    private static final List<String> NAMES = List.of("HUP", "INT", "TERM", "USR1", "USR2");

    private IgnoredSignals() {}

    /**
     * Ignores them from now on.
     *
     * @return whether that was possible
     */
    static boolean ignore() {
        try {
            Object ignored = JvmSignal.ignored();
            for (String name : NAMES) {
                JvmSignal.of(name).install(ignored);
            }
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }
}

package dev.resiliency.inprocess.internal.monitor;

import java.util.List;

/**
 * Ignores signals that reach a whole process group, such as Ctrl-C in a terminal: they are meant for the ranks. Monitor
 * processes outlive their ranks to report their deaths, and then end by themselves.
 */
final class IgnoredSignals {
    private static final List<String> NAMES = List.of("HUP", "INT", "TERM");

    private IgnoredSignals() {}

    /**
     * Ignores them from now on. Uses reflection, as the compiler warns about the JDK's class, although it is exported.
     *
     * @return whether that was possible
     */
    static boolean ignore() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ignored = handler.getField("SIG_IGN").get(null);
            for (String name : NAMES) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), ignored);
            }
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}

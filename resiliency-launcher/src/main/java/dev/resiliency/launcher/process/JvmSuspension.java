package dev.resiliency.launcher.process;

import java.util.Map;

/**
 * The signal by which a JVM suspends its own threads: SIGUSR2, unless an environment variable names another one. A JVM that
 * receives that signal from outside crashes.
 */
final class JvmSuspension {
    /** The environment variable of HotSpot. */
    static final String VARIABLE = "_JAVA_SR_SIGNUM";

    /** A real-time signal that nobody else uses: neither the JVM itself, nor glibc, nor NVIDIA's libraries. */
    static final String UNUSED = "50";

    private static final String SIGUSR2 = "12";

    private JvmSuspension() {}

    /**
     * Returns whether a JVM with this environment uses the signal itself.
     *
     * @param name without {@code SIG}
     */
    static boolean uses(String name, Map<String, String> environment) {
        return name.equals("USR2")
                && environment.getOrDefault(VARIABLE, SIGUSR2).equals(SIGUSR2);
    }
}

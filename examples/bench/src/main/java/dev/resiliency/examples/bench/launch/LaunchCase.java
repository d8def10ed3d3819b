package dev.resiliency.examples.bench.launch;

import java.util.List;

/** How the agent replaces a rank. */
enum LaunchCase {
    /** A spare process steps in. */
    SPARE("soft", 1),
    /** A new process is started, and joins. */
    FRESH("soft", 0),
    /** All ranks end, and start again. */
    HARD("hard", 0);

    private final String policy;
    private final int spares;

    LaunchCase(String policy, int spares) {
        this.policy = policy;
        this.spares = spares;
    }

    /** Returns the options of the agent. */
    List<String> options() {
        return List.of("--restart-policy", policy, "--spares", "" + spares);
    }

    int spares() {
        return spares;
    }

    /** Returns the name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}

package dev.resiliency.examples.bench.chaos;

import java.time.Duration;

/**
 * A launched job.
 *
 * @param number of the job in its run
 * @param ranks of each node
 * @param spares how many more processes each node has
 * @param policy of restarts, as on the command line
 * @param batches how often it is hit
 */
record LaunchedSettings(int number, int nodes, int ranks, int spares, String policy, int batches) {
    /** How long the store waits for a sign of life of an agent. */
    static final Duration LEASE = Duration.ofSeconds(6);

    /** How long a process may take to end. */
    static final Duration GRACE = Duration.ofSeconds(5);

    String jobId() {
        return "chaos-" + number;
    }

    int worldSize() {
        return nodes * ranks;
    }

    int processesOfNode() {
        return ranks + spares;
    }

    /** Returns whether all processes of the job start again when a rank or a node is lost. */
    boolean isHard() {
        return policy.equals("hard");
    }

    /** Returns whether a process starts again alone. */
    boolean isSoft() {
        return policy.equals("soft");
    }

    @Override
    public String toString() {
        return "job %d: %d nodes with %d rank%s and %d spare%s each, policy %s, %d batches"
                .formatted(
                        number, nodes, ranks, ranks == 1 ? "" : "s", spares, spares == 1 ? "" : "s", policy, batches);
    }
}

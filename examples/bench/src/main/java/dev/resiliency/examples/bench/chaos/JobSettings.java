package dev.resiliency.examples.bench.chaos;

import java.time.Duration;

/** What was drawn for a job, wherever its ranks live. */
sealed interface JobSettings {
    /** Returns the number of the job in its run, from 1. */
    int number();

    /** Returns how often it is hit. */
    int batches();

    /** Returns the number of ranks with which it begins. */
    int worldSize();

    /** Returns the number of those that train at the same time; the others are reserves. */
    default int active() {
        return worldSize();
    }

    /** Returns the name of the job in its store. */
    default String jobId() {
        return "chaos-" + number();
    }

    private static String where(boolean hosted, String host) {
        return hosted ? host + " hosts the store" : "a standalone store";
    }

    /**
     * Settings of a job whose ranks are processes of this program.
     *
     * @param ranks number of ranks that are started
     * @param active number of ranks that train at the same time; the others are reserves
     * @param patient whether a rank whose neighbour is gone waits for the restart, as NCCL does, rather than throw
     * @param lastCallWait the wrapper's setting
     * @param hosted whether rank 0 hosts the store, and survivors found it anew; otherwise a server of its own does
     */
    record Own(int number, int ranks, int active, boolean patient, Duration lastCallWait, boolean hosted, int batches)
            implements JobSettings {
        @Override
        public int worldSize() {
            return ranks;
        }

        @Override
        public String toString() {
            return "%d ranks, %d of them active; a rank without its neighbour %s; last call %d ms; %s; %d batches"
                    .formatted(
                            ranks,
                            active,
                            patient ? "waits" : "throws",
                            lastCallWait.toMillis(),
                            where(hosted, "rank 0"),
                            batches);
        }
    }

    /**
     * Settings of a job under agents.
     *
     * @param ranks of each node
     * @param spares how many more processes each node has
     * @param policy of restarts, as on the command line
     * @param hosted whether an agent hosts the store, and those that are left found it anew; otherwise a server of its own does
     */
    record UnderAgents(int number, int nodes, int ranks, int spares, String policy, boolean hosted, int batches)
            implements JobSettings {
        /** How long the store waits for a sign of life of an agent. */
        static final Duration LEASE = Duration.ofSeconds(6);

        @Override
        public int worldSize() {
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
            return "%d nodes with %d ranks and %d spares each, policy %s; %s; %d batches"
                    .formatted(nodes, ranks, spares, policy, where(hosted, "an agent"), batches);
        }
    }
}

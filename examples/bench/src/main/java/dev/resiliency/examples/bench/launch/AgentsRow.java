package dev.resiliency.examples.bench.launch;

import java.util.List;

/**
 * What many agents take. Times are nanoseconds, and messages those that one agent sends and receives on average, without
 * heartbeats.
 *
 * @param nodes number of agents
 * @param rendezvous until the last agent has its seat, from when all begin to arrive
 * @param rendezvousMessages messages of that
 * @param rendezvousCpuMillis CPU time of the store meanwhile
 * @param known until all others know that an agent was killed
 * @param reported until the agent with the lowest number has acted on it
 * @param knownMessages messages of that, with what the agent with the lowest number does about it
 * @param again until the killed agent has its seat again, from when it is started
 * @param cycle until the last agent has its seat in the next cycle, from the call of the cycle
 * @param cycleMessages messages of that
 * @param storeBytes resident memory of the store at the end
 */
record AgentsRow(
        int nodes,
        long rendezvous,
        double rendezvousMessages,
        long rendezvousCpuMillis,
        long known,
        long reported,
        double knownMessages,
        long again,
        long cycle,
        double cycleMessages,
        long storeBytes) {

    /** Returns the lines above the rows. */
    static List<String> header() {
        return List.of("%7s | %10s %8s %7s | %10s %9s %8s | %9s | %9s %8s | %6s"
                .formatted(
                        "agents",
                        "rendezvous",
                        "messages",
                        "CPU",
                        "loss known",
                        "reported",
                        "messages",
                        "again",
                        "cycle",
                        "messages",
                        "MB"));
    }

    /** Returns the row for people, in milliseconds. */
    String line() {
        return "%7d | %10.1f %8.1f %7d | %10.1f %9.1f %8.1f | %9.1f | %9.1f %8.1f | %6.0f"
                .formatted(
                        nodes,
                        rendezvous / 1e6,
                        rendezvousMessages,
                        rendezvousCpuMillis,
                        known / 1e6,
                        reported / 1e6,
                        knownMessages,
                        again / 1e6,
                        cycle / 1e6,
                        cycleMessages,
                        storeBytes / 1e6);
    }
}

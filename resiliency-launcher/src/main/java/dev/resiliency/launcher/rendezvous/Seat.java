package dev.resiliency.launcher.rendezvous;

/**
 * The seat of a node in a cycle of its job.
 *
 * @param cycle how often the whole job was started again before
 * @param group the node's number, {@code GROUP_RANK}; from {@code nodes} on, it is a spare node
 * @param nodes how many nodes found the job
 * @param processes how many ranks each node has
 */
public record Seat(int cycle, int group, int nodes, int processes) {
    /** Returns whether the node has ranks of its own. The processes of a spare node join as reserves. */
    public boolean isFounder() {
        return group < nodes;
    }

    /** Returns how many ranks found the job. */
    public int worldSize() {
        return nodes * processes;
    }

    /** Returns the rank of a process of this node; a spare process shares that of another one, and so joins as a reserve. */
    public int rank(int process) {
        return group % nodes * processes + process % processes;
    }

    /** Returns what people call a process of this node: {@code rank 3}, or {@code spare 1.2}, by the number of the node and its own. */
    public String nameOf(int process) {
        return isFounder() && process < processes ? "rank " + rank(process) : "spare %d.%d".formatted(group, process);
    }

    /** Returns it for people. */
    @Override
    public String toString() {
        if (!isFounder()) {
            return "group rank %d: a spare node, beside %d nodes with ranks 0 to %d"
                    .formatted(group, nodes, worldSize() - 1);
        }
        String ranks = processes == 1 ? "rank " + rank(0) : "ranks %d to %d".formatted(rank(0), rank(processes - 1));
        return "group rank %d of %d nodes, %s of %d".formatted(group, nodes, ranks, worldSize());
    }

    String text() {
        return "%d %d %d %d".formatted(cycle, group, nodes, processes);
    }

    static Seat read(String text) {
        String[] fields = text.split(" ", -1);
        return new Seat(
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                Integer.parseInt(fields[2]),
                Integer.parseInt(fields[3]));
    }
}

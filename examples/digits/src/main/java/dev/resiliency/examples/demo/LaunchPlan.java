package dev.resiliency.examples.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The nodes of a launched job, and what happens to them. The first nodes found the job; those of the second pool come while it
 * runs, as spare nodes. All processes are numbered in one row, node by node: these are the ranks of the {@link Scoreboard}.
 *
 * @param steps number of training steps
 * @param stepMillis the least time of a step
 * @param breaks whether a rank, an agent and a node are killed
 */
record LaunchPlan(int steps, int stepMillis, boolean breaks) {
    /** How many nodes found the job. */
    static final int NODES = 4;
    /** How many come later. */
    static final int POOL = 2;
    /** How many ranks each node has. */
    static final int RANKS = 2;
    /** How many spare processes each of the first nodes has. */
    static final int SPARES = 1;

    private static final int PROCESSES = RANKS + SPARES;

    /** What happens to the job, in this order; each only when the job has its full size. */
    enum Act {
        KILL_RANK(0.1),
        KILL_AGENT(0.25),
        POOL_COMES(0.5),
        KILL_NODE(0.6);

        private final double part;

        Act(double part) {
            this.part = part;
        }
    }

    /** Returns how many nodes there are at the end. */
    int nodes() {
        return NODES + POOL;
    }

    /** Returns how many ranks train. */
    int worldSize() {
        return NODES * RANKS;
    }

    /** Returns how many processes there are at the end. */
    int processes() {
        return first(nodes());
    }

    /** Returns the number of the first process of a node. */
    int first(int node) {
        return node <= NODES ? node * PROCESSES : NODES * PROCESSES + (node - NODES) * RANKS;
    }

    /** Returns the numbers of the processes of a node. */
    int[] processesOf(int node) {
        return IntStream.range(first(node), first(node + 1)).toArray();
    }

    /**
     * Returns the number of a process.
     *
     * @param name what the agent of its node calls it: {@code rank 3}, or {@code spare 1.2}
     */
    int process(int node, String name) {
        int number = Integer.parseInt(name.substring(1 + Math.max(name.lastIndexOf(' '), name.lastIndexOf('.'))));
        return first(node) + (name.startsWith("rank ") ? number % RANKS : number);
    }

    /** Returns what people call the processes: node and local rank, as in {@code 2.0}. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        for (int node = 0; node < nodes(); node++) {
            for (int process : processesOf(node)) {
                names.add(node + "." + (process - first(node)));
            }
        }
        return names;
    }

    /** Returns what is to happen after these acts at this step of the training; empty if nothing is due. */
    Optional<Act> due(Collection<Act> past, int step) {
        return next(past).filter(act -> step >= act.part * steps);
    }

    /** Returns whether nothing is to happen after these acts. */
    boolean isOver(Collection<Act> past) {
        return next(past).isEmpty();
    }

    private Optional<Act> next(Collection<Act> past) {
        return Arrays.stream(Act.values())
                .filter(act -> !past.contains(act) && (breaks || act == Act.POOL_COMES))
                .findFirst();
    }

    /** Returns how many processes take the place of those that are killed. */
    int replacements() {
        return breaks ? 1 + 2 * PROCESSES : 0;
    }

    /** Returns how many nodes are lost, and come again. */
    int nodesLost() {
        return breaks ? 2 : 0;
    }

    /** Returns the job as the {@link Scoreboard} sees it. */
    Scenario scenario() {
        return new Scenario(processes(), worldSize(), steps, List.of(), List.of(), true);
    }
}

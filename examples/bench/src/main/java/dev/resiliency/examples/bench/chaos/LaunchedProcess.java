package dev.resiliency.examples.bench.chaos;

import org.jspecify.annotations.Nullable;

/** What is known of a process that an agent has started. Confined to the thread of the job. */
final class LaunchedProcess {
    /** Tells it apart from another one that the kernel gives the same id later. */
    final int number;

    final int node;
    /** What its agent calls it. */
    final String name;

    final long pid;
    /** The latest iteration that it has begun. */
    ChaosEvent.@Nullable Started started;

    /** Whether it has reached the store. */
    boolean isConnected;

    boolean hasEnded;
    /** The latest fault that has happened in it, and in which iteration. */
    ChaosEvent.@Nullable Struck struck;

    LaunchedProcess(int number, int node, String name, long pid) {
        this.number = number;
        this.node = node;
        this.name = name;
        this.pid = pid;
    }

    /** Returns the rank by which it was started, or -1 of a spare. */
    int rank() {
        return name.startsWith("rank ") ? Integer.parseInt(name.substring(name.indexOf(' ') + 1)) : -1;
    }

    @Override
    public String toString() {
        return "%s of node %d (%d)".formatted(name, node, pid);
    }
}

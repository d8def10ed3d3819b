package dev.resiliency.examples.gpu;

import java.util.Locale;

/** A check, which is a row of the table of {@link GpuCheckCommand} and runs in processes of its own. */
enum CheckPart {
    /** The libraries can be loaded. */
    LIBRARIES("the libraries load", 1),
    /** NVML can be read. */
    NVML("NVML values are read", 1),
    /** A healthy collective. */
    SUM("two ranks compute the right sum", 2),
    /** A peer never joins a communicator. */
    CREATION("a communicator is aborted while it is created", 2),
    /** A peer never joins a split. */
    CHILD("a communicator is aborted while a child of it is created", 2),
    /** A communicator goes on without a peer. */
    SHRINK("a communicator shrinks while a collective waits for the excluded rank", 2),
    /** A peer dies in a collective. */
    KILL("a blocked synchronize returns when the peer is killed, and a new communicator works", 2),
    /** Memory after many restarts. */
    RESTARTS("50 restarts in one process do not leak device memory", 2),
    /** State in the memory of a device. */
    STATE("live state in device memory is received from a peer", 2),
    /** A corrupted context. */
    ILLEGAL("the health check detects an illegal address", 1),
    /** A kernel that hangs. */
    SPIN("the health check detects a kernel that never ends", 1);

    private final String title;
    private final int ranks;

    CheckPart(String title, int ranks) {
        this.title = title;
        this.ranks = ranks;
    }

    /** Returns what the check verifies. */
    String title() {
        return title;
    }

    /** Returns the number of processes that it takes. */
    int ranks() {
        return ranks;
    }

    /** Returns the name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

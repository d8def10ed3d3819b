package dev.resiliency.examples.gpu;

import java.util.Locale;

/** A row of the table that {@link GpuCheckCommand} prints; each runs in processes of its own. */
enum CheckPart {
    /** Versions of what was loaded. */
    LIBRARIES("the libraries load", 1),
    /** What NVML tells. */
    NVML("NVML values are read", 1),
    /** A healthy collective. */
    SUM("two ranks sum up right", 2),
    /** A peer dies in a collective. */
    KILL("a blocked synchronise returns when the peer is killed, and a new communicator sums up right", 2),
    /** Memory after many restarts. */
    RESTARTS("50 restarts in one process leave the device memory flat", 2),
    /** A spoilt context. */
    ILLEGAL("an illegal address is seen by the health check", 1),
    /** A kernel that hangs. */
    SPIN("a kernel that never ends is found by the time limit", 1);

    private final String title;
    private final int ranks;

    CheckPart(String title, int ranks) {
        this.title = title;
        this.ranks = ranks;
    }

    /** What holds if it is well. */
    String title() {
        return title;
    }

    /** How many processes it takes. */
    int ranks() {
        return ranks;
    }

    /** As the command line has it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

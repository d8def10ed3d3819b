package dev.resiliency.examples.bench.chaos;

import java.util.Locale;

/** What happens around a job and must not change anything in it. */
enum Disturbance {
    /** The network between ranks and the store fails, for less than the heartbeat timeout. */
    OUTAGE("outages of the network"),
    /** A second job of the same size is started at the address of the first. */
    SECOND_JOB("second jobs"),
    /** A rank of a job of another size is started at the address of this one. */
    OTHER_WORLD("ranks of another world size"),
    /** A rank that is alive is started a second time; where the job replaces ranks, this adds a reserve. */
    STARTED_TWICE("ranks started twice"),
    /** A rank that has died is started again. */
    STARTED_AGAIN("dead ranks started again"),
    /** A rank is started when the job is complete. */
    LATE("processes that come late"),
    /** Another client of the store reads and writes large values, and sends many small requests. */
    NEIGHBOUR("neighbours with heavy requests");

    private final String plural;

    Disturbance(String plural) {
        this.plural = plural;
    }

    /** Returns what several of them are called: {@code second jobs}. */
    String plural() {
        return plural;
    }

    /** Returns whether it is a process that the job must refuse, unless it takes in those who come late or again. */
    boolean isRefused() {
        return this != OUTAGE && this != NEIGHBOUR && this != LATE;
    }

    /** Returns whether it is a process that every job must refuse. */
    boolean isRefusedAlways() {
        return this == OTHER_WORLD;
    }

    /** Returns whether it happens to jobs that replace the ranks that they lose, or only to others. */
    boolean happens(boolean replaces) {
        return switch (this) {
            case SECOND_JOB, STARTED_AGAIN -> !replaces;
            case LATE -> replaces;
            default -> true;
        };
    }

    /** Returns the name that users write: {@code second-job}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

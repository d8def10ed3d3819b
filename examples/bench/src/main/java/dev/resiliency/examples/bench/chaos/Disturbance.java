package dev.resiliency.examples.bench.chaos;

import java.util.Locale;

/** What happens around a job and must not change anything in it. */
enum Disturbance {
    /** The network between ranks and the store fails, for less than the heartbeat timeout. */
    OUTAGE("outages of the network"),
    /** A rank of a job of another size is started at the address of this one. */
    OTHER_WORLD("ranks of another world size"),
    /** A rank that is alive is started a second time; this adds a reserve. */
    STARTED_TWICE("ranks started twice"),
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

    /** Returns the name that users write: {@code other-world}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

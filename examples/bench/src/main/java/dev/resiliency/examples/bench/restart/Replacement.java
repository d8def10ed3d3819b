package dev.resiliency.examples.bench.restart;

import java.util.Locale;

/** What takes the place of the rank that a fault costs. */
enum Replacement {
    /** Nothing: the world stays smaller. */
    NONE,
    /** A second process of the rank, started before the fault, which waits as a reserve. */
    SPARE,
    /** A new process of the rank, started when the old one has ended, as a supervisor does. */
    FRESH;

    /** Returns the name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

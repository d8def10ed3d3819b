package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.util.List;

/** A job that is broken again and again: its ranks are processes of this program, or live under agents. */
interface ChaosJob {
    /** Runs it until it has been hit as often as it shall, or until this time, but at least once. */
    void run(long deadline) throws IOException, InterruptedException;

    /** Returns the invariants that it has broken; empty if there are none. */
    List<String> violations();

    Timeline timeline();
}

package dev.resiliency.examples.bench.chaos;

import dev.resiliency.store.Value;
import java.io.PrintStream;

/** Prints the progress of a run, one line per volley. */
final class Progress {
    private static final int LONGEST_LINE = 4 << 10;

    private final PrintStream out;
    private final long start = System.nanoTime();

    Progress(PrintStream out) {
        this.out = out;
    }

    void jobStarts(JobSettings settings) {
        say(settings.toString());
    }

    /**
     * After a volley.
     *
     * @param nanos until those who survived trained again
     * @param full until as many trained as before, where the job replaces ranks
     */
    void restarted(JobSettings settings, Volley volley, int restarts, int survivors, long nanos, long full) {
        String again = settings.replaces()
                ? "until the survivors trained again, %.0f ms until the full world did".formatted(full / 1e6)
                : "until %d ranks trained again".formatted(survivors);
        say("job %d: %s: %d restart%s, %.0f ms %s"
                .formatted(settings.number(), volley, restarts, restarts == 1 ? "" : "s", nanos / 1e6, again));
    }

    void storeLost(int job, Volley volley) {
        say("job %d: %s: the host of the store is lost, all ranks leave".formatted(job, volley));
    }

    /** After an outage without a fault. */
    void unnoticed(int job, Volley volley, int survivors) {
        say("job %d: %s: no restart, %d ranks train".formatted(job, volley, survivors));
    }

    /** Prints a line; other processes may have written a part of it. */
    void say(String line) {
        out.println("[%6.1f s] %s".formatted((System.nanoTime() - start) / 1e9, Value.printable(line, LONGEST_LINE)));
        out.flush();
    }
}

package dev.resiliency.examples.bench.chaos;

import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** Prints the progress of a run, one line per volley. */
final class Progress {
    private final PrintStream out;
    private final long start = System.nanoTime();

    Progress(PrintStream out) {
        this.out = out;
    }

    void jobStarts(JobSettings settings) {
        say(settings.toString());
    }

    void restarted(int job, List<Strike> volley, int restarts, int survivors, long nanos) {
        say("job %d: %s: %d restart%s, %.0f ms until %d ranks trained again"
                .formatted(job, text(volley), restarts, restarts == 1 ? "" : "s", nanos / 1e6, survivors));
    }

    void storeLost(int job, List<Strike> volley) {
        say("job %d: %s: the host of the store is lost, all ranks leave".formatted(job, text(volley)));
    }

    private static String text(List<Strike> volley) {
        return volley.stream().map(Strike::toString).collect(Collectors.joining(", "));
    }

    void say(String line) {
        out.println("[%6.1f s] %s".formatted((System.nanoTime() - start) / 1e9, line));
        out.flush();
    }
}

package dev.resiliency.examples.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Result of a job, and what is wrong with it.
 *
 * @param problems empty if the job met all expectations
 * @param directory where the logs are, if there are problems
 */
record DemoOutcome(DemoReport report, List<String> problems, Path directory) {

    /** Returns the lines to print at the end. */
    List<String> summary() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("%d of %d ranks finished: %d steps in %.1f s"
                .formatted(report.survivors(), report.ranks(), report.steps(), report.wallSeconds()));
        if (report.accuracy() != null) {
            lines.add("%.1f %% of the held-out digits are classified correctly".formatted(100 * report.accuracy()));
        }
        for (Restart restart : report.restarts()) {
            lines.add("RESTARTED in %.1f ms after the %s of rank %d"
                    .formatted(restart.totalMs(), restart.cause(), restart.rank()));
        }
        if (!problems.isEmpty()) {
            lines.add("");
            problems.forEach(problem -> lines.add("FAILED: " + problem));
            lines.add("Logs of the ranks: " + directory);
        }
        return lines;
    }
}

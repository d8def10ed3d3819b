package dev.resiliency.examples.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of a job.
 *
 * @param problems what is wrong; nothing if all is as it should be
 * @param directory where the logs are, if something is wrong
 */
record Outcome(DemoReport report, List<String> problems, Path directory) {

    /** For people. */
    List<String> summary() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("%d of %d ranks have come to the end: %d steps in %.1f s"
                .formatted(report.survivors(), report.ranks(), report.steps(), report.wallSeconds()));
        if (report.accuracy() != null) {
            lines.add("%.1f %% of the held-out digits are told rightly".formatted(100 * report.accuracy()));
        }
        for (Restart restart : report.restarts()) {
            lines.add("RESTARTED in %.1f ms after the %s of rank %d"
                    .formatted(restart.totalMs(), restart.cause(), restart.rank()));
        }
        if (!problems.isEmpty()) {
            lines.add("");
            problems.forEach(problem -> lines.add("FAILED: " + problem));
            lines.add("The logs of the ranks are in " + directory);
        }
        return lines;
    }
}

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
            String from = restart.stateFrom();
            lines.add("RESTARTED in " + restart.summary() + (from == null ? "" : "; state from " + from));
        }
        report.joins().forEach(join -> lines.add("REPLACED: " + join.text()));
        if (!report.restarts().isEmpty() || report.generation() > 0) {
            lines.add("STEPS LOST: " + report.stepsLost());
        }
        if (report.generation() > 0) {
            lines.add("STARTED AGAIN from the last checkpoint: the job ended in generation " + report.generation());
        }
        if (!problems.isEmpty()) {
            lines.add("");
            problems.forEach(problem -> lines.add("FAILED: " + problem));
            lines.add("Logs of the ranks: " + directory);
        }
        return lines;
    }
}

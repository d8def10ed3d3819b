package dev.resiliency.launcher.attribution.service;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.launcher.attribution.Thrown;
import dev.resiliency.launcher.attribution.service.Advice.Action;
import dev.resiliency.launcher.attribution.service.LogReading.Line;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The rules of the service. What the launcher has found comes first: it knows the order of the faults, signals and stacks. A log
 * without such a report is judged by what its ranks have printed. Pure.
 */
final class LogRules {
    private static final int MOST_EXCERPT_LINES = 120;
    private static final int LINES_BEFORE = 2;
    private static final int LINES_AFTER = 6;
    private static final int LAST_LINES = 30;

    /** A line that says what a start would fail of again. */
    private record Rule(Pattern pattern, Action action, String reason) {}

    private static final List<Rule> TABLE = List.of(
            new Rule(
                    Pattern.compile(
                            "^Error: (Could not find or load main class|Unable to access jarfile)|^Unrecognized (VM )?option"
                                    + "|\\b(ModuleNotFoundError|ImportError|ClassNotFoundException|NoClassDefFoundError"
                                    + "|UnsupportedClassVersionError)\\b|: error: (unrecognized arguments|the following arguments)"),
                    Action.STOP,
                    "the program cannot run as it was started"),
            new Rule(Pattern.compile("(?i)no space left on device|disk quota exceeded"), Action.STOP, "a disk is full"),
            new Rule(
                    Pattern.compile("(?i)\\b(loss|gradient|grad norm)\\b.{0,40}(\\bis|=|:) ?(nan|[+-]?inf(inity)?)\\b"),
                    Action.RESTART,
                    "the training has diverged: go back to an earlier checkpoint"),
            new Rule(
                    Pattern.compile("(?i)(CUDA|GPU|HIP).{0,20}out of memory"),
                    Action.RESTART,
                    "the memory of a GPU was too small"),
            new Rule(
                    Pattern.compile("\\b(OutOfMemoryError|MemoryError)\\b"),
                    Action.RESTART,
                    "the memory of a process was too small"),
            new Rule(
                    Pattern.compile("(?i)uncorrectable ECC|Xid \\(|CUDA error: (unspecified launch|an illegal memory)"),
                    Action.RESTART,
                    "a GPU has reported an error: look at its host"),
            new Rule(
                    Pattern.compile("(?i)watchdog caught collective operation timeout|NCCL.{0,20}timeout"),
                    Action.RESTART,
                    "a collective operation has not ended: a rank hangs, or is gone"));

    private static final Pattern ERROR =
            Pattern.compile("(?i)error|exception|traceback|fatal|abort|signal|killed|\\bnan\\b|timed? ?out|failed");

    private LogRules() {}

    /** Returns what to do. */
    static Advice judge(JsonNode report, LogReading log) {
        return ofReport(report)
                .or(() -> ofLines(log))
                .or(() -> ofException(log))
                .orElse(Advice.of(Action.UNKNOWN, "the log does not say why its ranks have ended"));
    }

    private static Optional<Advice> ofReport(JsonNode report) {
        String verdict = report.path("verdict").asText("");
        if (verdict.isEmpty()) {
            return Optional.empty();
        }
        String reason = "%s, first %s on node %s: %s"
                .formatted(
                        verdict,
                        report.path("first").asText("?"),
                        report.path("node").asText("?"),
                        report.path("why").asText(""));
        return Optional.of(
                switch (report.path("suggestion").asText("")) {
                    case "STOP" -> Advice.of(Action.STOP, reason);
                    case "EXCLUDE_HOST" ->
                        Advice.of(
                                Action.RESTART,
                                "without node " + report.path("node").asText("?") + ": " + reason);
                    default ->
                        Advice.of(report.path("isWholeAgain").asBoolean() ? Action.CONTINUE : Action.RESTART, reason);
                });
    }

    private static Optional<Advice> ofLines(LogReading log) {
        for (Line line : log.lines()) {
            for (Rule rule : TABLE) {
                if (rule.pattern().matcher(line.text()).find()) {
                    return Optional.of(Advice.of(rule.action(), rule.reason() + ": " + said(line.who(), line.text())));
                }
            }
        }
        return Optional.empty();
    }

    /** Names the first exception that is not only the loss of another rank. */
    private static Optional<Advice> ofException(LogReading log) {
        Map<String, List<String>> byWho = new LinkedHashMap<>();
        log.lines()
                .forEach(line -> byWho.computeIfAbsent(line.who(), who -> new ArrayList<>())
                        .add(line.text()));
        String follower = null;
        for (Map.Entry<String, List<String>> of : byWho.entrySet()) {
            Thrown thrown = Thrown.lastOf(of.getValue());
            if (thrown != null && !thrown.isLossOfPeer()) {
                return Optional.of(thrown(of.getKey(), thrown));
            }
            follower = follower == null && thrown != null ? said(of.getKey(), thrown.toString()) : follower;
        }
        return Optional.ofNullable(follower)
                .map(text -> Advice.of(Action.RESTART, "only the loss of another rank is in the log: " + text));
    }

    private static Advice thrown(String who, Thrown thrown) {
        return Advice.of(
                Action.RESTART,
                "the program has thrown: " + said(who, thrown.toString())
                        + (thrown.root().isEmpty() ? "" : ", caused by " + thrown.root()));
    }

    private static String said(String who, String text) {
        return who.isEmpty() ? text : who + ": " + text;
    }

    /** Returns the lines that say most, in their order: those around what looks like an error, and the last ones. */
    static List<Line> excerpt(LogReading log) {
        List<Line> lines = log.lines();
        NavigableSet<Integer> chosen = new TreeSet<>();
        IntStream.range(Math.max(0, lines.size() - LAST_LINES), lines.size()).forEach(chosen::add);
        for (int i = 0; i < lines.size() && chosen.size() < MOST_EXCERPT_LINES; i++) {
            if (ERROR.matcher(lines.get(i).text()).find()) {
                IntStream.rangeClosed(Math.max(0, i - LINES_BEFORE), Math.min(lines.size() - 1, i + LINES_AFTER))
                        .forEach(chosen::add);
            }
        }
        return chosen.stream().limit(MOST_EXCERPT_LINES).map(lines::get).toList();
    }
}

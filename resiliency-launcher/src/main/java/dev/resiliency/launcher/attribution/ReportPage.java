package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.config.Durations;
import dev.resiliency.store.spi.guard.Printable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report as people read it. */
public final class ReportPage {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);
    private static final int MOST_NAMES = 16;

    private ReportPage() {}

    /** Returns the lines of the page. */
    public static List<String> of(CycleReport report) {
        List<String> page = new ArrayList<>();
        page.add("report %d: %s".formatted(report.number(), report.verdict()));
        page.add("  first        %s%s, at %s%s"
                .formatted(
                        report.first(),
                        report.node().isEmpty() ? "" : " on node " + report.node(),
                        time(report.time()),
                        sameBefore(report.times())));
        page.add("  suggestion   %s: %s"
                .formatted(report.suggestion().toLowerCase(Locale.ROOT).replace('_', ' '), report.why()));
        section(page, "evidence", report.evidence());
        section(page, "also failed", report.others());
        if (!report.followers().isEmpty()) {
            section(page, "followed", List.of(names(report.followers())));
        }
        boolean showsSteps = report.steps() != null && (report.isWholeAgain() || report.repeated() != null);
        page.add("  the world    %s, cycle %d%s"
                .formatted(
                        report.isWholeAgain()
                                ? "was whole again after " + Durations.format(Duration.ofMillis(report.wholeAfter()))
                                : "was not yet whole when this was written",
                        report.cycle(),
                        showsSteps ? "; " + report.steps() : ""));
        Recommendation external = report.external();
        if (external != null) {
            page.add("  service      %s: %s (%s)".formatted(external.action(), external.reason(), external.source()));
        }
        page.add("  facts        in the order in which the store learned of them");
        for (Fact fact : report.facts()) {
            page.add("    %-4d %s  %s".formatted(fact.number(), time(fact.time()), text(fact)));
            details(page, fact.evidence());
        }
        return page.stream().map(Printable::of).toList(); // what ranks have printed is in it
    }

    private static String sameBefore(int times) {
        return switch (times) {
            case 0 -> "";
            case 1 -> "; the same verdict as once before";
            default -> "; the same verdict as %d times before".formatted(times);
        };
    }

    private static String text(Fact fact) {
        String asked = fact.isAsked() ? " (the agent had asked it to end)" : "";
        boolean isAlone = fact.node().isEmpty() || fact.who().startsWith("node ");
        return "%s%s %s%s".formatted(fact.who(), isAlone ? "" : " on " + fact.node(), fact.text(), asked);
    }

    private static void details(List<String> page, Evidence evidence) {
        if (evidence.crash() != null) {
            detail(
                    page,
                    "crash",
                    evidence.crash().what() + " at " + evidence.crash().frame() + " "
                            + evidence.crash().file());
        }
        if (evidence.thrown() != null) {
            detail(page, "threw", evidence.thrown().toString());
            evidence.thrown().frames().forEach(frame -> detail(page, "", "at " + frame));
        }
        if (evidence.heapDump() != null) {
            detail(page, "heap dump", evidence.heapDump());
        }
        evidence.kernel().forEach(line -> detail(page, "kernel", line));
        evidence.stack().forEach(frame -> detail(page, "stack", frame));
        evidence.lastLines().forEach(line -> detail(page, "printed", line));
    }

    private static void detail(List<String> page, String what, String text) {
        page.add("         %-10s %s".formatted(what, text));
    }

    private static void section(List<String> page, String name, List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            page.add("  %-12s %s".formatted(i == 0 ? name : "", lines.get(i)));
        }
    }

    private static String names(List<String> all) {
        String names = String.join(", ", all.subList(0, Math.min(all.size(), MOST_NAMES)));
        return all.size() <= MOST_NAMES ? names : names + " and %d more".formatted(all.size() - MOST_NAMES);
    }

    private static String time(long millis) {
        return TIME.format(Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()));
    }
}

package dev.resiliency.launcher.status;

import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.monitor.SectionSummary;
import dev.resiliency.launcher.rendezvous.JobStatus;
import dev.resiliency.launcher.rendezvous.JobStatus.NodeStatus;
import dev.resiliency.launcher.rendezvous.JobView;
import dev.resiliency.launcher.rendezvous.JobView.NodeRanks;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.store.spi.guard.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A job as a table for the terminal: a row for each node, and one for each rank if there are few, or if it does not run; then how long each section took. */
public final class StatusTable {
    private static final int FEW_RANKS = 64;
    private static final int MOST_ROWS = 500;
    private static final String NODE = "%-32s %-16s %-14s %-12s %s";
    private static final String RANK = "  %-12s %-11s %-16s %8s  %s";

    private static final String SECTION = "%-32s %10s %11s %11s %11s %11s %9s";

    private final String jobId;
    private final Map<Integer, NodeSnapshot> snapshots = new HashMap<>();
    /** How far the clock of a node is ahead of that of this host. */
    private final Map<Integer, Long> ahead = new HashMap<>();

    private final Headline headline = new Headline();
    private @Nullable JobStatus status;

    /** Creates the table of a job of which nothing is known. */
    public StatusTable(String jobId) {
        this.jobId = jobId;
    }

    /** Takes over what has changed. */
    public void update(JobView view) {
        status = view.status() == null ? status : view.status();
        view.events().forEach(headline::add);
        for (NodeRanks node : view.ranks()) {
            try {
                NodeSnapshot snapshot = NodeSnapshot.read(node.json());
                snapshots.put(node.arrival(), snapshot);
                ahead.put(node.arrival(), snapshot.ahead(node));
            } catch (IllegalArgumentException foreign) {
                // Not written by an agent of this release.
            }
        }
    }

    /**
     * Returns the lines, fit for a terminal whoever has chosen the names in them.
     *
     * @param now in milliseconds since 1970, on the clock of this host
     */
    public List<String> lines(long now) {
        JobStatus known = status;
        if (known == null) {
            return List.of("job %s: no agent has joined yet".formatted(jobId));
        }
        List<String> lines = new ArrayList<>();
        lines.add("job %s: %d nodes with %d ranks each, policy %s, cycle %d, %d process restarts"
                .formatted(
                        jobId,
                        known.terms().nodes(),
                        known.terms().processes(),
                        known.terms().policy(),
                        known.cycle(),
                        known.restarts()));
        lines.add(
                known.end().isEmpty()
                        ? headline.line(known, counts(known), Instant.ofEpochMilli(now))
                        : "ended with exit code " + known.end());
        lines.add(NODE.formatted("NODE", "ADDRESS", "STATE", "RANKS", "").stripTrailing());
        boolean isSmall = snapshots.values().stream()
                        .mapToInt(snapshot -> snapshot.ranks().size())
                        .sum()
                <= FEW_RANKS;
        for (NodeStatus node : known.nodes()) {
            addNode(node, isSmall, now, lines);
        }
        if (lines.size() > MOST_ROWS) {
            int more = lines.size() - MOST_ROWS;
            lines.subList(MOST_ROWS, lines.size()).clear();
            lines.add("… %d more lines".formatted(more));
        }
        addSections(lines);
        return lines.stream().map(Printable::of).toList();
    }

    private RankCounts counts(JobStatus known) {
        RankCounts counts = new RankCounts();
        for (NodeStatus node : known.nodes()) {
            NodeSnapshot snapshot = snapshots.get(node.node().arrival());
            if (snapshot != null) {
                counts.add(node.state(), snapshot);
            }
        }
        return counts;
    }

    private void addSections(List<String> lines) {
        List<SectionSummary> sections = SectionSummary.merge(snapshots.values().stream()
                .flatMap(snapshot -> snapshot.sections().stream())
                .toList());
        if (sections.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(SECTION.formatted("SECTION", "COUNT", "P50", "P99", "SLOWEST", "LIMIT", "OF LIMIT"));
        for (SectionSummary section : sections) {
            boolean isLimited = section.limit() > 0;
            lines.add(SECTION.formatted(
                    section.section().isEmpty() ? "between heartbeats" : section.section(),
                    section.count(),
                    seconds(section.p50()),
                    seconds(section.p99()),
                    seconds(section.slowest()),
                    isLimited ? seconds(section.limit()) : "-",
                    isLimited ? "%.0f %%".formatted(100 * section.nearest()) : "-"));
        }
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.3f s", seconds);
    }

    private void addNode(NodeStatus node, boolean isSmall, long now, List<String> lines) {
        // What a node that is gone has published is not what its ranks do now.
        boolean isThere = node.state() == JobStatus.State.RUNS || node.state() == JobStatus.State.LEAVES;
        NodeSnapshot snapshot = isThere ? snapshots.get(node.node().arrival()) : null;
        lines.add(NODE.formatted(
                        node.node().name(),
                        node.node().address(),
                        node.state().text(),
                        ranks(node.seat()),
                        snapshot == null ? "" : summary(node, snapshot))
                .stripTrailing());
        if (snapshot == null) {
            return;
        }
        long hostTime = now + ahead.getOrDefault(node.node().arrival(), 0L);
        for (RankSnapshot rank : snapshot.ranks()) {
            RankCondition condition = RankCondition.of(node.state(), rank);
            if (isSmall || condition == RankCondition.FAILED || condition == RankCondition.STOPPING) {
                lines.add(line(node, rank, hostTime));
            }
        }
    }

    private static String ranks(@Nullable Seat seat) {
        if (seat == null) {
            return "-";
        }
        return seat.isFounder() ? seat.rank(0) + "-" + seat.rank(seat.processes() - 1) : "spare " + seat.group();
    }

    private static String summary(NodeStatus node, NodeSnapshot snapshot) {
        Map<RankCondition, Long> counts = snapshot.ranks().stream()
                .collect(Collectors.groupingBy(rank -> RankCondition.of(node.state(), rank), Collectors.counting()));
        List<String> parts = new ArrayList<>();
        for (RankCondition condition : RankCondition.values()) {
            if (counts.containsKey(condition)) {
                parts.add(counts.get(condition) + " " + condition.word());
            }
        }
        snapshot.ranks().stream()
                .mapToLong(RankSnapshot::step)
                .filter(step -> step != RankSnapshot.UNKNOWN)
                .min()
                .ifPresent(step -> parts.add("step " + step));
        return String.join(", ", parts);
    }

    /** Returns what a rank does, on the clock of its host. */
    private static String line(NodeStatus node, RankSnapshot rank, long hostTime) {
        List<String> parts = new ArrayList<>();
        if (rank.activeRank() != RankSnapshot.UNKNOWN && rank.activeRank() != rank.rank()) {
            parts.add("active rank " + rank.activeRank());
        }
        if (rank.step() != RankSnapshot.UNKNOWN) {
            parts.add("step " + rank.step());
        }
        if (!rank.section().isEmpty()) {
            parts.add("in %s for %s".formatted(rank.section(), age(hostTime - rank.sectionSince())));
        }
        if (rank.heartbeat() > 0) {
            parts.add("heartbeat %s ago".formatted(age(hostTime - rank.heartbeat())));
        }
        if (rank.restarts() > 0) {
            parts.add("restarted %d times".formatted(rank.restarts()));
        }
        return RANK.formatted(
                        rank.name(node.seat() == null ? 0 : node.seat().group()),
                        RankCondition.of(node.state(), rank) == RankCondition.SPARE ? "waits" : rank.state(),
                        rank.pid() == 0 ? "" : "process " + rank.pid(),
                        rank.since() == 0 ? "" : age(hostTime - rank.since()),
                        String.join(", ", parts))
                .stripTrailing();
    }

    private static String age(long millis) {
        long seconds = Math.max(0, millis) / 1000;
        return seconds == 0 ? Math.max(0, millis) / 100 * 100 + "ms" : Durations.format(Duration.ofSeconds(seconds));
    }
}

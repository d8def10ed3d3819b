package dev.resiliency.launcher.status;

import dev.resiliency.launcher.rendezvous.JobStatus;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.OptionalLong;

/** Counts the processes of a job by their states, as the page does. */
final class RankCounts {
    private final Map<RankCondition, Integer> counts = new LinkedHashMap<>();
    private final LongSummaryStatistics steps = new LongSummaryStatistics();

    RankCounts() {
        for (RankCondition condition : RankCondition.values()) {
            counts.put(condition, 0);
        }
    }

    /** Adds the processes of a node. */
    void add(JobStatus.State node, NodeSnapshot snapshot) {
        for (RankSnapshot rank : snapshot.ranks()) {
            RankCondition condition = RankCondition.of(node, rank);
            counts.merge(condition, 1, Integer::sum);
            if (condition == RankCondition.RUNNING && rank.step() != RankSnapshot.UNKNOWN) {
                steps.accept(rank.step());
            }
        }
    }

    int of(RankCondition condition) {
        return counts.getOrDefault(condition, 0);
    }

    List<Row<?>> rows() {
        List<Row<?>> rows = new ArrayList<>();
        counts.forEach((condition, count) -> rows.add(Row.of(Tags.of("state", condition.word()), count)));
        return rows;
    }

    /** Returns the step of the most advanced rank. */
    OptionalLong step() {
        return steps.getCount() == 0 ? OptionalLong.empty() : OptionalLong.of(steps.getMax());
    }

    /** Returns the least and the greatest step; nothing if no rank has reported one. */
    List<Row<?>> steps() {
        return steps.getCount() == 0
                ? List.of()
                : List.of(Row.of(Tags.of("of", "min"), steps.getMin()), Row.of(Tags.of("of", "max"), steps.getMax()));
    }
}

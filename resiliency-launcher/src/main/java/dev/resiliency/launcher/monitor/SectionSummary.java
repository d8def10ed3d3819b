package dev.resiliency.launcher.monitor;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What people are shown of a section of a job; times are in seconds.
 *
 * @param section empty for the times between heartbeats
 * @param count how many times there were, without the warm-up
 * @param limit 0 if there is none
 */
public record SectionSummary(String section, long count, double p50, double p99, double slowest, double limit) {

    /** Returns this as a line for people. */
    public String line() {
        String what = section.isEmpty() ? "intervals between heartbeats" : "section '" + section + "'";
        String ofLimit = limit == 0
                ? ""
                : String.format(Locale.ROOT, ", limit %.3f s, of which %.0f %% were needed", limit, 100 * nearest());
        return String.format(
                Locale.ROOT,
                "%s: %d measured, p50 %.3f s, p99 %.3f s, slowest %.3f s%s",
                what,
                count,
                p50,
                p99,
                slowest,
                ofLimit);
    }

    /** Returns how near the slowest time came to the limit, as a part of it; 0 if there is none. */
    public double nearest() {
        return limit == 0 ? 0 : slowest / limit;
    }

    /**
     * Returns what several nodes say of the same job, each section once, by name: the view of the one that knows of the most times, and
     * the slowest time that any has seen. Each node knows those of all that were shared by then.
     */
    public static List<SectionSummary> merge(Collection<SectionSummary> ofNodes) {
        Map<String, SectionSummary> merged = new TreeMap<>();
        for (SectionSummary each : ofNodes) {
            merged.merge(each.section(), each, SectionSummary::mergeWith);
        }
        return List.copyOf(merged.values());
    }

    private SectionSummary mergeWith(SectionSummary other) {
        SectionSummary richer = other.count > count ? other : this;
        return new SectionSummary(
                section, richer.count, richer.p50, richer.p99, Math.max(slowest, other.slowest), richer.limit);
    }
}

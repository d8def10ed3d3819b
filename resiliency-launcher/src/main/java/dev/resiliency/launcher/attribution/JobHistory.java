package dev.resiliency.launcher.attribution;

import java.util.ArrayList;
import java.util.List;

/**
 * What was reported of a job before.
 *
 * @param nodes how many take part
 * @param reports oldest first
 */
record JobHistory(int nodes, List<Entry> reports) {
    /** Of which report, as far as it counts for the next one. */
    record Entry(String verdict, String node) {}

    /** Copies the list. */
    JobHistory {
        reports = List.copyOf(reports);
    }

    /** Returns the history of a job without one. */
    static JobHistory of(int nodes) {
        return new JobHistory(nodes, List.of());
    }

    JobHistory and(CycleReport report) {
        List<Entry> more = new ArrayList<>(reports);
        more.add(new Entry(report.verdict(), report.node()));
        return new JobHistory(nodes, more);
    }

    JobHistory withNodes(int newNodes) {
        return new JobHistory(newNodes, reports);
    }

    /** Returns how often there was this verdict. */
    int times(String verdict) {
        return (int)
                reports.stream().filter(each -> each.verdict().equals(verdict)).count();
    }

    /** Returns how often there was this verdict of this node. */
    int timesOn(String verdict, String node) {
        return (int) reports.stream().filter(new Entry(verdict, node)::equals).count();
    }
}

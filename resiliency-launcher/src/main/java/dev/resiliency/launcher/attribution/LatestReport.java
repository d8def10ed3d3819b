package dev.resiliency.launcher.attribution;

import java.util.Optional;

/**
 * The latest report of a job, whose training may make its first step after a restart only later: one that loads its checkpoint for long
 * does. Confined to the thread of the attribution.
 */
final class LatestReport {
    private CycleReport report;
    private Repetition repetition;
    /** The last restart that can be one of its incident led into these. */
    private int lastCycle = Integer.MAX_VALUE;

    private int lastIteration = Integer.MAX_VALUE;

    LatestReport(CycleReport report) {
        this.report = report;
        this.repetition = Incident.of(report.facts()).repetition();
    }

    /** The iteration was interrupted that the wrapped ranks had begun last. */
    void interrupted(int iteration) {
        lastIteration = Math.min(lastIteration, iteration);
    }

    /** Something has happened; if processes have failed or are ended, this belongs to what follows. */
    void note(Fact fact) {
        if (fact.number() > report.lastFact() && (fact.isFault() || fact.kind() == Fact.Kind.ENDS)) {
            lastCycle = Math.min(lastCycle, fact.cycle());
        }
    }

    /** Returns whether this fact says where the training goes on after a restart of the incident. */
    boolean isAbout(Fact fact) {
        Resumption seen = fact.resumption();
        return seen != null
                && fact.number() > report.firstFact()
                && seen.cycle() <= lastCycle
                && seen.iteration() <= lastIteration;
    }

    /** Adds where the training goes on; returns the report if that is news. */
    Optional<CycleReport> complete(Resumption seen) {
        repetition = repetition.and(seen);
        CycleReport complete = report.with(repetition, true);
        Long before = report.repeated();
        Long now = complete.repeated();
        boolean isKnown = before != null && (now == null || now < before); // by the agent that has written it
        if (isKnown || complete.equals(report)) {
            return Optional.empty();
        }
        report = complete;
        return Optional.of(complete);
    }

    /** Returns the report with what the attribution service says of it; empty if it is another one. */
    Optional<CycleReport> with(long number, Recommendation answer) {
        if (report.number() != number) {
            return Optional.empty();
        }
        report = report.with(answer);
        return Optional.of(report);
    }
}

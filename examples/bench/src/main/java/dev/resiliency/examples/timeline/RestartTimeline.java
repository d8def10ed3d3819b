package dev.resiliency.examples.timeline;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One restart of a job: what each rank did, in nanoseconds since the fault.
 *
 * @param iteration the iteration that ended
 * @param title what happened
 * @param notes notes for the reader on how this was measured
 * @param ranks timelines by rank
 */
public record RestartTimeline(int iteration, String title, List<String> notes, List<RankTimeline> ranks) {
    /** The parts with whose end a rank knows its place in the next iteration. */
    private static final Set<Part> ASSIGNED = EnumSet.of(Part.WAIT, Part.BARRIER, Part.ASSIGN);

    /**
     * Combines the timelines of the ranks, all by one clock.
     *
     * @param fault when it happened, by that clock
     */
    public static RestartTimeline of(
            int iteration, String title, List<String> notes, long fault, List<RankTimeline> ranks) {
        Optional<Span> assignment = ranks.stream()
                .flatMap(rank -> rank.span(Part.ASSIGN).stream())
                .min(Comparator.comparingLong(Span::start));
        List<RankTimeline> all = ranks.stream()
                .map(rank -> withDetection(rank, fault))
                .map(rank -> withAssignment(rank, assignment))
                .map(rank -> rank.shifted(-fault))
                .sorted(Comparator.comparingInt(RankTimeline::rank))
                .toList();
        return new RestartTimeline(iteration, title, List.copyOf(notes), all);
    }

    /** Only the leader knows when the assignment began; the others waited for it from then on. */
    private static RankTimeline withAssignment(RankTimeline rank, Optional<Span> assignment) {
        if (assignment.isEmpty()) {
            return rank;
        }
        return rank.span(Part.ASSIGN).equals(assignment)
                ? rank.leading()
                : rank.assignedFrom(assignment.get().start());
    }

    private static RankTimeline withDetection(RankTimeline rank, long fault) {
        if (rank.admission().isPresent()) {
            return rank; // it was in no iteration that could be interrupted
        }
        Span detection = new Span(Part.DETECT, Math.min(fault, rank.start()), rank.start());
        return new RankTimeline(
                rank.rank(),
                rank.roles(),
                Stream.concat(Stream.of(detection), rank.spans().stream()).toList());
    }

    /** Returns the ranks that joined with this restart. */
    List<RankTimeline> joiners() {
        return ranks.stream().filter(rank -> rank.admission().isPresent()).toList();
    }

    /** Returns when the last rank was done. */
    long end() {
        return ranks.stream().mapToLong(RankTimeline::end).max().orElse(0);
    }

    /** Returns at most {@code count} ranks, those with the longest own time first. */
    List<RankTimeline> slowest(int count) {
        return ranks.stream()
                .sorted(Comparator.comparingLong(RankTimeline::ownTime).reversed())
                .limit(count)
                .toList();
    }

    /** Returns the milestones that all ranks reached, and the last rank of each. */
    List<Milestone> milestones() {
        return Stream.of(
                        milestone("known to all", span -> span.part() == Part.DETECT),
                        milestone("all stopped", span -> span.part() == Part.HEALTH_CHECK),
                        milestone("all assigned", span -> ASSIGNED.contains(span.part())),
                        milestone("all in the function", span -> span.part() == Part.RE_ENTRY))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Milestone> milestone(String title, Predicate<Span> ends) {
        return ranks.stream()
                .flatMap(rank ->
                        rank.spans().stream().filter(ends).map(span -> new Milestone(title, span.end(), rank.rank())))
                .max(Comparator.comparingLong(Milestone::nanos));
    }

    /** Returns the median and the maximum of a part over all ranks; empty if no rank has it. */
    Optional<Spread> spread(Part part) {
        List<Long> sorted = ranks.stream()
                .flatMap(rank -> rank.span(part).stream())
                .map(Span::length)
                .sorted()
                .toList();
        return sorted.isEmpty()
                ? Optional.empty()
                : Optional.of(new Spread(sorted.get(0), sorted.get(sorted.size() / 2), sorted.get(sorted.size() - 1)));
    }

    /**
     * A milestone that all ranks reached.
     *
     * @param nanos since the fault
     * @param lastRank the last rank to reach it
     */
    record Milestone(String title, long nanos, int lastRank) {}

    /** Over all ranks, in nanoseconds. */
    record Spread(long least, long median, long most) {}
}

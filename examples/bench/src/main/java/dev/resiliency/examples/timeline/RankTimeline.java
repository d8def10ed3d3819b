package dev.resiliency.examples.timeline;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Timeline of one rank in a restart.
 *
 * @param rank its initial rank
 * @param roles words that distinguish it from the others, such as {@code failed}
 * @param spans in order, in nanoseconds; since the fault, once they are part of a {@link RestartTimeline}
 */
public record RankTimeline(int rank, List<String> roles, List<Span> spans) {
    private static final Set<Part> NOT_OWN = EnumSet.of(Part.START, Part.WAIT, Part.BARRIER, Part.ASSIGN);

    /** Returns the time that it spent in a part; empty if it was not in it, or if that is unknown. */
    Optional<Span> span(Part part) {
        return spans.stream().filter(span -> span.part() == part).findFirst();
    }

    /** Returns when its first span began. */
    long start() {
        return spans.stream().mapToLong(Span::start).min().orElse(0);
    }

    /** Returns when its last span ended. */
    long end() {
        return spans.stream().mapToLong(Span::end).max().orElse(0);
    }

    /** Returns when it was admitted to the job; empty if it was in it before. */
    Optional<Long> admission() {
        return span(Part.WAIT).map(Span::end);
    }

    /** Returns its own time, without waiting: others may have waited for it. */
    long ownTime() {
        return spans.stream()
                .filter(span -> !NOT_OWN.contains(span.part()))
                .mapToLong(Span::length)
                .sum();
    }

    RankTimeline shifted(long nanos) {
        return new RankTimeline(
                rank, roles, spans.stream().map(span -> span.shifted(nanos)).toList());
    }

    /** Returns this timeline as that of the leader. */
    RankTimeline leading() {
        return new RankTimeline(
                rank, Stream.concat(roles.stream(), Stream.of("leader")).toList(), spans);
    }

    /** Returns this timeline with the assignment beginning at this time, when it began on the leader. */
    RankTimeline assignedFrom(long moment) {
        return new RankTimeline(
                rank, roles, spans.stream().flatMap(span -> split(span, moment)).toList());
    }

    private static Stream<Span> split(Span span, long moment) {
        return span.part() == Part.BARRIER && moment < span.end()
                ? Stream.of(
                        new Span(Part.BARRIER, span.start(), Math.max(moment, span.start())),
                        new Span(Part.ASSIGN, Math.max(moment, span.start()), span.end()))
                : Stream.of(span);
    }
}

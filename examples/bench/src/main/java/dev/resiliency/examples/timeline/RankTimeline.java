package dev.resiliency.examples.timeline;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one rank did in a restart.
 *
 * @param rank its initial rank
 * @param roles what distinguishes it from the others, in a word each, such as {@code failed}
 * @param spans in their order, in nanoseconds: since the fault, once they are part of a {@link RestartTimeline}
 */
public record RankTimeline(int rank, List<String> roles, List<Span> spans) {

    /** The time that it spent in a part; nothing if it was not in it, or if that is not known. */
    Optional<Span> span(Part part) {
        return spans.stream().filter(span -> span.part() == part).findFirst();
    }

    /** When its first span began. */
    long start() {
        return spans.stream().mapToLong(Span::start).min().orElse(0);
    }

    /** When its last span ended. */
    long end() {
        return spans.stream().mapToLong(Span::end).max().orElse(0);
    }

    /** How long it took itself: what others may have waited for. */
    long ownTime() {
        return spans.stream()
                .filter(span -> span.part() != Part.BARRIER && span.part() != Part.ASSIGN)
                .mapToLong(Span::length)
                .sum();
    }

    RankTimeline shifted(long nanos) {
        return new RankTimeline(
                rank, roles, spans.stream().map(span -> span.shifted(nanos)).toList());
    }

    /** As the one that assigned the ranks for all. */
    RankTimeline leading() {
        return new RankTimeline(
                rank, Stream.concat(roles.stream(), Stream.of("leader")).toList(), spans);
    }

    /** With the end of its barrier counted to the assignment, which began on another rank at this moment. */
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

package dev.resiliency.examples.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A plausible restart of any number of ranks: rank 0 leads, rank 1 failed, the last one is slow to stop. */
final class SampleRestart {
    static final long FAULT = 7_000_000_000L;
    private static final long MILLI = 1_000_000;

    private SampleRestart() {}

    static RestartTimeline of(int ranks) {
        return of("EXCEPTION on rank 1 (loss is <NaN> & \"lost\")", ranks);
    }

    static RestartTimeline of(String title, int ranks) {
        return RestartTimeline.of(
                0,
                title,
                List.of("Clocks are > 1."),
                FAULT,
                IntStream.range(0, ranks)
                        .mapToObj(rank -> rank(rank, rank == ranks - 1))
                        .toList());
    }

    /**
     * The same with ranks that join: their JVMs have started 1,500 ms before the fault and waited from 1,000 ms before
     * it, each 10 ms later than the one before.
     */
    static RestartTimeline of(int ranks, int joiners) {
        return RestartTimeline.of(
                0,
                "SCALE_UP by rank 0",
                List.of(),
                FAULT,
                Stream.concat(
                                IntStream.range(0, ranks).mapToObj(rank -> rank(rank, rank == ranks - 1)),
                                IntStream.range(0, joiners).mapToObj(i -> joiner(ranks + i, 10L * i)))
                        .toList());
    }

    private static RankTimeline joiner(int rank, long delay) {
        List<Span> spans = new ArrayList<>();
        add(spans, Part.START, delay - 1500, delay - 1000);
        add(spans, Part.WAIT, delay - 1000, 20);
        add(spans, Part.RE_ENTRY, 20, 23);
        return new RankTimeline(rank, List.of("joined"), spans);
    }

    /** Learns after 2 ms, has stopped after 10 (the slow one after 14), knows the assignment after 20, is back after 23. */
    private static RankTimeline rank(int rank, boolean isSlow) {
        List<Span> spans = new ArrayList<>();
        add(spans, Part.LAST_CALL, 2, 5);
        add(spans, Part.ABORT, 5, 6);
        add(spans, Part.STOP, 6, isSlow ? 12 : 8);
        add(spans, Part.FINALIZE, isSlow ? 12 : 8, isSlow ? 13 : 9);
        add(spans, Part.HEALTH_CHECK, isSlow ? 13 : 9, isSlow ? 14 : 10);
        add(spans, Part.BACK_OFF, isSlow ? 14 : 10, isSlow ? 15 : 11);
        add(spans, Part.BARRIER, isSlow ? 15 : 11, rank == 0 ? 16 : 20);
        if (rank == 0) {
            add(spans, Part.ASSIGN, 16, 20);
        }
        add(spans, Part.RE_ENTRY, 20, 23);
        return new RankTimeline(rank, rank == 1 ? List.of("failed") : List.of(), spans);
    }

    private static void add(List<Span> spans, Part part, long startMillis, long endMillis) {
        spans.add(new Span(part, FAULT + startMillis * MILLI, FAULT + endMillis * MILLI));
    }
}

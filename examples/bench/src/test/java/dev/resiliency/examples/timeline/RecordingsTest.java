package dev.resiliency.examples.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.timeline.Recorded.Clock;
import dev.resiliency.examples.timeline.Recorded.EventKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordingsTest {
    private static final Clock ANTON = new Clock("anton", 1);
    private static final Clock BERTA = new Clock("berta", 2);
    private static final String REPORT =
            "restarted in 1.0 ms after EXCEPTION on rank 1 (after all: NaN): last call 0.1 ms";

    private final List<Recorded> events = new ArrayList<>();

    @Test
    void restartIsCombinedFromTheEventsOfAllRanks() {
        record(EventKind.FAULT, 1, 0, 1000, 1000, ANTON, "");
        restart(0, 0, 1100, ANTON);
        phase(1, 0, 1050, ANTON);
        record(EventKind.PHASE, 0, 0, 1110, 1200, ANTON, "BARRIER");
        record(EventKind.PHASE, 0, 0, 1100, 1105, ANTON, "STOP");
        record(EventKind.ENTRY, 0, 1, 1205, 1300, ANTON, "");

        RestartTimeline restart = only();

        assertThat(restart.title())
                .isEqualTo("Iteration 0 ended after EXCEPTION on rank 1 (after all: NaN), 1970-01-01T00:00:00Z");
        assertThat(restart.ranks().get(0).spans())
                .containsExactly(
                        new Span(Part.DETECT, 0, 100),
                        new Span(Part.STOP, 100, 110),
                        new Span(Part.BARRIER, 110, 205),
                        new Span(Part.RE_ENTRY, 205, 300));
        assertThat(restart.ranks().get(1).roles()).containsExactly("failed");
        assertThat(restart.notes()).isEmpty();
    }

    @Test
    void withoutTheFaultTimeStartsWhenTheFirstRankLearnsOfIt() {
        phase(0, 0, 1100, ANTON);
        phase(1, 0, 1050, ANTON);

        RestartTimeline restart = only();

        assertThat(restart.ranks()).extracting(RankTimeline::start).containsExactly(0L, 0L);
        assertThat(restart.ranks().get(0).span(Part.DETECT)).contains(new Span(Part.DETECT, 0, 50));
        assertThat(restart.notes()).singleElement().asString().contains("was not recorded");
    }

    @Test
    void hostsAreShiftedSoThatTheyLearnTheAssignmentTogether() {
        record(EventKind.FAULT, 0, 0, 1000, 1000, ANTON, "");
        phase(0, 0, 1100, ANTON);
        phase(1, 0, 777_020, BERTA);
        phase(2, 0, 777_000, BERTA);
        phase(3, 0, 777_040, BERTA);

        RestartTimeline restart = only();

        assertThat(restart.ranks())
                .extracting(rank -> rank.span(Part.BARRIER).orElseThrow().start())
                .containsExactly(100L, 100L, 80L, 120L);
        assertThat(restart.notes()).singleElement().asString().contains("2 hosts (anton, berta)", "estimate");
    }

    @Test
    void iterationsThatStartOverAreAnotherJob() {
        phase(0, 0, 1000, ANTON);
        phase(0, 1, 2000, ANTON);
        phase(0, 0, 3000, ANTON);

        assertThat(Recordings.of(events)).extracting(RestartTimeline::iteration).containsExactly(0, 1, 0);
    }

    @Test
    void missingRanksAreReported() {
        record(EventKind.FAULT, 0, 0, 900, 900, ANTON, "");
        phase(0, 0, 1000, ANTON);
        events.add(new Recorded(EventKind.ITERATION, 0, 0, 0, 0, 900, ANTON, Instant.EPOCH, 8, ""));

        assertThat(only().notes())
                .singleElement()
                .asString()
                .startsWith("The recordings of this restart have 1 of 8 ranks");
    }

    @Test
    void rankWhoseRecordingWasCutOffIsLeftOut() {
        phase(0, 0, 1000, ANTON);
        restart(1, 0, 900, ANTON);

        assertThat(only().ranks()).extracting(RankTimeline::rank).containsExactly(0);
    }

    @Test
    void processThatJoinsHasARowFromItsStart() {
        record(EventKind.FAULT, 0, 0, 1000, 1000, ANTON, "");
        phase(0, 0, 1100, ANTON);
        record(EventKind.ENTRY, 0, 1, 1200, 1300, ANTON, "");
        record(EventKind.PROCESS, 9, 1, 100, 500, ANTON, "");
        record(EventKind.JOIN, 9, 1, 500, 1190, ANTON, "");
        record(EventKind.ENTRY, 9, 1, 1210, 1310, ANTON, "");
        record(EventKind.JOIN, 10, 2, 600, 5000, ANTON, "");

        assertThat(only().joiners())
                .singleElement()
                .isEqualTo(new RankTimeline(
                        9,
                        List.of("joined"),
                        List.of(
                                new Span(Part.START, -900, -500),
                                new Span(Part.WAIT, -500, 190),
                                new Span(Part.RE_ENTRY, 190, 310))));
    }

    @Test
    void hostOfOneThatJoinsIsShiftedSoThatItIsAdmittedWithTheAssignment() {
        record(EventKind.FAULT, 0, 0, 1000, 1000, ANTON, "");
        phase(0, 0, 1100, ANTON);
        record(EventKind.JOIN, 9, 1, 777_000, 777_500, BERTA, "");

        assertThat(only().joiners().get(0).spans()).containsExactly(new Span(Part.WAIT, -300, 200));
    }

    @Test
    void startOfAProcessIsReckonedBackFromItsJoin() {
        Instant joined = Instant.ofEpochSecond(10);
        Recorded join = new Recorded(EventKind.JOIN, 9, 0, 1, 5_000_000_000L, 6_000_000_000L, ANTON, joined, -1, "");

        assertThat(join.since(joined.minusMillis(1500)))
                .isEqualTo(new Recorded(
                        EventKind.PROCESS,
                        9,
                        0,
                        1,
                        3_500_000_000L,
                        5_000_000_000L,
                        ANTON,
                        joined.minusMillis(1500),
                        -1,
                        ""));
    }

    private RestartTimeline only() {
        List<RestartTimeline> restarts = Recordings.of(events);
        assertThat(restarts).hasSize(1);
        return restarts.get(0);
    }

    /** A restart that is nothing but a wait of 100. */
    private void phase(int rank, int iteration, long start, Clock clock) {
        restart(rank, iteration, start, clock);
        record(EventKind.PHASE, rank, iteration, start, start + 100, clock, "BARRIER");
    }

    private void restart(int rank, int iteration, long start, Clock clock) {
        record(EventKind.RESTART, rank, iteration, start, start + 100, clock, REPORT);
    }

    private void record(EventKind kind, int rank, int iteration, long start, long end, Clock clock, String text) {
        events.add(new Recorded(kind, rank, 0, iteration, start, end, clock, Instant.EPOCH, 1, text));
    }
}

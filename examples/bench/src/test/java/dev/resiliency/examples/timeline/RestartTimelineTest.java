package dev.resiliency.examples.timeline;

import static dev.resiliency.examples.timeline.Part.ASSIGN;
import static dev.resiliency.examples.timeline.Part.BARRIER;
import static dev.resiliency.examples.timeline.Part.DETECT;
import static dev.resiliency.examples.timeline.Part.RE_ENTRY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RestartTimelineTest {
    private static final long MILLI = 1_000_000;

    @Test
    void timeBeginsWithTheFault() {
        RestartTimeline restart = SampleRestart.of(3);

        assertThat(restart.ranks())
                .allSatisfy(rank -> assertThat(rank.spans().get(0)).isEqualTo(new Span(DETECT, 0, 2 * MILLI)));
        assertThat(restart.end()).isEqualTo(23 * MILLI);
    }

    @Test
    void ranksWaitForTheAssignmentFromWhenTheLeaderBeganIt() {
        RestartTimeline restart = SampleRestart.of(3);

        assertThat(restart.ranks())
                .extracting(RankTimeline::roles)
                .containsExactly(List.of("leader"), List.of("failed"), List.of());
        assertThat(restart.ranks().get(1).span(BARRIER)).contains(new Span(BARRIER, 11 * MILLI, 16 * MILLI));
        assertThat(restart.ranks())
                .allSatisfy(rank -> assertThat(rank.span(ASSIGN)).contains(new Span(ASSIGN, 16 * MILLI, 20 * MILLI)));
    }

    @Test
    void withoutALeaderTheWholeWaitIsTheBarrier() {
        Span wait = new Span(BARRIER, 100, 200);

        RestartTimeline restart =
                RestartTimeline.of(0, "", List.of(), 50, List.of(new RankTimeline(4, List.of(), List.of(wait))));

        assertThat(restart.ranks().get(0).spans()).containsExactly(new Span(DETECT, 0, 50), new Span(BARRIER, 50, 150));
    }

    @Test
    void rankThatLearnsOfItBeforeTheFaultIsShownLeftOfIt() {
        Span wait = new Span(BARRIER, 100, 200);

        RestartTimeline restart =
                RestartTimeline.of(0, "", List.of(), 130, List.of(new RankTimeline(4, List.of(), List.of(wait))));

        assertThat(restart.ranks().get(0).start()).isEqualTo(-30);
        assertThat(Axis.of(restart).start()).isEqualTo(-30);
    }

    @Test
    void rankThatJoinsWasNotInterrupted() {
        RestartTimeline restart = SampleRestart.of(3, 1);

        assertThat(restart.joiners()).singleElement().satisfies(joiner -> {
            assertThat(joiner.rank()).isEqualTo(3);
            assertThat(joiner.span(DETECT)).isEmpty();
            assertThat(joiner.admission()).contains(20 * MILLI);
            assertThat(joiner.ownTime()).isEqualTo(3 * MILLI);
        });
        assertThat(Axis.of(restart).start()).isZero();
        assertThat(Axis.ofJoiners(restart)).isEqualTo(new Axis(-1500 * MILLI, 23 * MILLI));
    }

    @Test
    void milestonesAreWhatTheLastRankReached() {
        assertThat(SampleRestart.of(5).milestones())
                .extracting(each -> each.title() + " " + each.nanos() / MILLI)
                .containsExactly("known to all 2", "all stopped 14", "all assigned 20", "all in the function 23");
        assertThat(SampleRestart.of(5).milestones().get(1).lastRank()).isEqualTo(4);
    }

    @Test
    void slowestRankIsTheOneThatOthersWaitedFor() {
        assertThat(SampleRestart.of(100).slowest(3))
                .first()
                .extracting(RankTimeline::rank)
                .isEqualTo(99);
        assertThat(SampleRestart.of(100).slowest(3)).hasSize(3);
    }

    @Test
    void spreadIsOverTheRanksThatHaveThePart() {
        assertThat(SampleRestart.of(5).spread(Part.STOP))
                .contains(new RestartTimeline.Spread(2 * MILLI, 2 * MILLI, 6 * MILLI));
        assertThat(SampleRestart.of(5).spread(RE_ENTRY))
                .contains(new RestartTimeline.Spread(3 * MILLI, 3 * MILLI, 3 * MILLI));
        assertThat(RestartTimeline.of(0, "", List.of(), 0, List.of()).spread(RE_ENTRY))
                .isEmpty();
    }
}

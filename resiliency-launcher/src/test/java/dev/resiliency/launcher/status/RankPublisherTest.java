package dev.resiliency.launcher.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.monitor.SectionSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RankPublisherTest {
    private final List<NodeSnapshot> written = new ArrayList<>();
    private List<RankSnapshot> ranks = List.of(rank("running", 0));
    private long millis = 1_000_000;

    private List<SectionSummary> sections = List.of();

    private final RankPublisher publisher = new RankPublisher(
            () -> ranks, () -> sections, written::add, () -> TimeUnit.MILLISECONDS.toNanos(millis), () -> millis);

    private static RankSnapshot rank(String state, long step) {
        return new RankSnapshot(0, 0, state, 4712, 0, 1, step, "", 0, 0, RankSnapshot.UNKNOWN, RankSnapshot.UNKNOWN);
    }

    private void lookAfter(Duration time) {
        millis += time.toMillis();
        publisher.look();
    }

    @Test
    void nothingIsWrittenBeforeTheNodeHasASeat() {
        publisher.look();

        assertThat(written).isEmpty();
        assertThat(publisher.untilDue()).isEmpty();
    }

    @Test
    void whatHasNotChangedIsNotWrittenAgain() {
        publisher.begin(2);
        publisher.look();
        for (int i = 0; i < 10; i++) {
            lookAfter(Duration.ofSeconds(3));
        }

        assertThat(written).hasSize(1);
    }

    @Test
    void changedStateIsWrittenAtOnceButNotTwiceWithinTwoSeconds() {
        publisher.begin(2);
        publisher.look();
        ranks = List.of(rank("asking", 0));
        lookAfter(Duration.ofSeconds(3));
        assertThat(written).hasSize(2);

        ranks = List.of(rank("waiting", 0));
        lookAfter(Duration.ofMillis(100));
        assertThat(written).hasSize(2);
        assertThat(publisher.untilDue()).contains(Duration.ofMillis(1_900));

        lookAfter(Duration.ofMillis(1_900));
        assertThat(written).hasSize(3);
        assertThat(written.get(2).ranks().get(0).state()).isEqualTo("waiting");
    }

    @Test
    void stepsAreWrittenLessOftenInAJobOfManyNodes() {
        publisher.begin(2048);
        publisher.look();
        for (int second = 1; second <= 60; second++) {
            ranks = List.of(rank("running", second));
            lookAfter(Duration.ofSeconds(1));
        }

        assertThat(written).hasSizeBetween(6, 7);
        assertThat(publisher.untilDue().orElseThrow()).isLessThanOrEqualTo(Duration.ofMillis(10_240));

        ranks = List.of(rank("asking", 61));
        lookAfter(Duration.ofSeconds(2));
        assertThat(written.get(written.size() - 1).ranks().get(0).state()).isEqualTo("asking");
    }

    @Test
    void sectionsAreWrittenEvenIfNoRankHasChanged() {
        publisher.begin(2);
        publisher.look();
        sections = List.of(new SectionSummary("step", 1, 0.25, 0.5, 0.75, 0));
        lookAfter(Duration.ofSeconds(3));
        lookAfter(Duration.ofSeconds(3));

        assertThat(written).hasSize(2);
        assertThat(written.get(1).sections()).isEqualTo(sections);
    }

    @Test
    void nodeThatKnowsMoreOfASectionCountsAndTheSlowestTimeOfAnyIsKept() {
        assertThat(SectionSummary.merge(List.of(
                        new SectionSummary("step", 10, 0.2, 0.3, 9, 0),
                        new SectionSummary("load", 1, 1, 1, 1, 2),
                        new SectionSummary("step", 20, 0.25, 0.5, 0.75, 30))))
                .containsExactly(
                        new SectionSummary("load", 1, 1, 1, 1, 2), new SectionSummary("step", 20, 0.25, 0.5, 9, 30));
    }

    @Test
    void snapshotIsReadAsItWasWritten() {
        NodeSnapshot snapshot = new NodeSnapshot(
                5,
                List.of(
                        new RankSnapshot(0, 8, "running", 4712, 3, 2, 100, "a \"section\"\n", 3, 4, 1, 7),
                        RankSnapshot.of(1, RankSnapshot.UNKNOWN, "idle", 0, 0, 0)),
                List.of(new SectionSummary("a \"section\"\n", 3, 0.25, 0.5, 0.75, 0)));

        assertThat(NodeSnapshot.read(snapshot.json())).isEqualTo(snapshot);
        assertThat(NodeSnapshot.read("{\"time\":5,\"later\":{\"a\":[1]},\"ranks\":[]}"))
                .isEqualTo(new NodeSnapshot(5, List.of(), List.of()));
        for (String foreign : List.of("", "[]", "{\"time\":", "{\"ranks\":7}", "\u0000")) {
            org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
                    .as(foreign)
                    .isThrownBy(() -> NodeSnapshot.read(foreign));
        }
    }
}

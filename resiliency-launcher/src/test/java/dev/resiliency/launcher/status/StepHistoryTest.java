package dev.resiliency.launcher.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.rendezvous.JobView;
import dev.resiliency.launcher.rendezvous.JobView.NodeRanks;
import dev.resiliency.launcher.status.StepHistory.Point;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StepHistoryTest {
    private final StepHistory history = new StepHistory();

    @Test
    void longJobHasItsBeginningAndItsEndAndFewPoints() {
        for (int i = 0; i < 100_000; i++) {
            history.add(new Point(1000L * i, 50L * i));
        }

        List<Point> points = history.after(-1);
        assertThat(points).hasSizeBetween(StepHistory.MOST / 2, StepHistory.MOST);
        assertThat(points.get(0)).isEqualTo(new Point(0, 0));
        assertThat(points.get(points.size() - 1)).isEqualTo(new Point(99_999_000, 4_999_950));
        assertThat(points).isSortedAccordingTo((one, other) -> Long.compare(one.time(), other.time()));
        assertThat(history.after(99_998_000)).hasSize(1);
    }

    @Test
    void nodeThatIsLateTellsNothingNew() {
        history.add(new Point(2000, 100));
        history.add(new Point(1000, 150));
        history.add(new Point(3000, 90));

        assertThat(history.after(0)).containsExactly(new Point(2000, 100), new Point(3000, 90));
    }

    private static NodeRanks node(int arrival, boolean isLive, long... steps) {
        List<RankSnapshot> ranks = IntStream.range(0, steps.length)
                .mapToObj(i -> new RankSnapshot(i, i, "running", 1, 0, 1, steps[i], "", 0, 0, 0, i))
                .toList();
        return new NodeRanks(arrival, new NodeSnapshot(1, ranks, List.of()).json(), 1000 + arrival, isLive);
    }

    private static JobView view(NodeRanks... nodes) {
        return new JobView("job", 1, null, List.of(nodes), List.of(), List.of(), null);
    }

    @Test
    void mostAdvancedRankIsWhereTheJobIs() {
        assertThat(StepSampler.latest(
                        view(node(1, true, 3, 5), node(2, true, 4), node(3, true, 5, RankSnapshot.UNKNOWN))))
                .contains(new Point(1003, 5));
    }

    @Test
    void whatIsOldOrForeignIsNoPoint() {
        assertThat(StepSampler.latest(view(
                        node(1, false, 7),
                        node(2, true, RankSnapshot.UNKNOWN),
                        new NodeRanks(3, "no JSON", 1000, true))))
                .isEmpty();
    }
}

package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules 14 and 15: the active ranks stop at the same step, and a rank leaves on purpose. */
class SafePointsTest extends ThreeRanks {
    private final List<Long> steps = new ArrayList<>();

    @BeforeEach
    void enterTheFirstIteration() {
        enter(0);
    }

    private SafePoints of(int rank) {
        return ranks.get(rank).view.safePoints();
    }

    private static Interruption reason(int rank, Kind kind) {
        return new Interruption(rank, kind, null, "because");
    }

    @Test
    void firstStepThatIsPublishedStands() {
        of(1).watch(0, steps::add);

        of(0).publish(0, 120, List.of(reason(0, Kind.SCALE_UP))).join();
        of(2).publish(0, 130, List.of()).join();
        of(2).watch(0, steps::add);

        assertThat(steps).containsExactly(120L, 120L);
    }

    @Test
    void watchThatHasEndedLearnsNothing() {
        of(1).watch(0, steps::add).end();

        of(0).publish(0, 120, List.of()).join();

        assertThat(steps).isEmpty();
    }

    @Test
    void stepThatNoRankHasWrittenIsIgnored() throws Exception {
        of(1).watch(0, steps::add);

        store.set("0/0/safepoint", Value.of("soon"));

        assertThat(steps).isEmpty();
    }

    @Test
    void lastArrivalInterruptsTheIteration() {
        of(0).publish(0, 120, List.of(reason(0, Kind.SCALE_UP))).join();
        of(0).arrive(0).join();
        of(1).arrive(0).join();
        assertThat(of(2).missing(0)).isCompletedWithValue(IndexSet.of(2));
        assertThat(ranks).allSatisfy(rank -> assertThat(rank.outcomes).isEmpty());

        of(2).arrive(0).join();

        assertAllLearned(Outcome.INTERRUPTED);
        ranks.forEach(rank -> rank.regroup(1));
        lead(0, 1, ALL);
        assertThat(ranks.get(1).regrouped.join().interruptions()).containsExactly(reason(0, Kind.SCALE_UP));
    }

    @Test
    void lastArrivalDoesNotReplaceACompletion() {
        complete(0);

        of(0).arrive(0).join();
        of(1).arrive(0).join();
        of(2).arrive(0).join();

        assertAllLearned(Outcome.COMPLETED);
    }

    @Test
    void rankThatLeavesOnPurposeIsNotAwaitedAndSaysWhy() {
        List<IndexSet> leaving = new ArrayList<>();
        of(0).watchLeaving(change -> leaving.add(((Change.Joined) change).members()));
        of(1).announceLeaving(0, reason(1, Kind.LEAVING)).join();
        assertThat(leaving).containsExactly(IndexSet.of(1));
        interrupt(0, 0, "NaN");

        ranks.get(1)
                .view
                .terminations()
                .leaveOnPurpose(0, reason(1, Kind.LEAVING))
                .join();
        regroup(1, 0, 2);
        lead(0, 1, ALL);

        assertThat(ranks.get(2).regrouped.join().interruptions())
                .extracting(Interruption::rank, Interruption::kind)
                .containsExactly(tuple(1, Kind.LEAVING), tuple(0, Kind.EXCEPTION));
        assertThat(ranks.get(2).decision())
                .isInstanceOfSatisfying(
                        Decision.Placed.class,
                        placed -> assertThat(placed.state().worldSize()).isEqualTo(2));
    }
}

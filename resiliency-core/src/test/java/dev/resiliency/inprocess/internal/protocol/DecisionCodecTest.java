package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionCodecTest {
    @Test
    void placementOfEachRankSurvivesARoundTripWithItsReason() {
        World before = RankAssignment.shiftRanks().assign(World.initial(3));
        World next = RankAssignment.shiftRanks().assign(before.lose(IndexSet.of(0)));
        List<Value> written = DecisionCodec.writeAll(before, next, 3);

        assertThat(DecisionCodec.read(written.get(2), 2, 3, 1))
                .isInstanceOfSatisfying(Decision.Placed.class, placed -> {
                    assertThat(placed.state()).isEqualTo(new State(2, 3, 1, 2, State.Mode.ACTIVE, 1, 2, 1));
                    assertThat(placed.terminated()).isEqualTo(1);
                    assertThat(placed.change()).contains("1");
                });
    }

    @Test
    void reserveLearnsThatItIsOne() {
        World before = World.initial(2);
        World next = RankAssignment.compose(RankAssignment.maxActiveWorldSize(1), RankAssignment.shiftRanks())
                .assign(before);
        List<Value> written = DecisionCodec.writeAll(before, next, 2);

        assertThat(DecisionCodec.read(written.get(1), 1, 2, 0))
                .isInstanceOfSatisfying(
                        Decision.Placed.class,
                        placed -> assertThat(placed.state().isActive()).isFalse());
    }

    @Test
    void rankThatIsLeftOutLearnsWhy() {
        World before = World.initial(2);
        World next = RankAssignment.shiftRanks().assign(before.lose(IndexSet.of(1)));
        List<Value> written = DecisionCodec.writeAll(before, next, 2);

        assertThat(DecisionCodec.read(written.get(1), 1, 2, 3))
                .isInstanceOfSatisfying(Decision.Discarded.class, discarded -> {
                    assertThat(discarded.iteration()).isEqualTo(3);
                    assertThat(discarded.reason()).isNotEmpty();
                });
    }
}

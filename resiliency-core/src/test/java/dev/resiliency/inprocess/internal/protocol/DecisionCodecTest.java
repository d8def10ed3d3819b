package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.State.Entry;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionCodecTest {
    private static final IndexSet NONE = IndexSet.empty();
    private static final RankAssignment ALL =
            RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());

    private static Identity identity(int rank, int worldSize) {
        return new Identity(rank, worldSize, Generation.FIRST, "");
    }

    @Test
    void placementOfEachRankSurvivesARoundTripWithItsReason() {
        World before = RankAssignment.shiftRanks().assign(World.initial(3));
        World next = RankAssignment.shiftRanks().assign(before.lose(IndexSet.of(0)));
        List<Value> written = DecisionCodec.writeAll(before, next, NONE);

        assertThat(DecisionCodec.read(written.get(2), identity(2, 3), Entry.SURVIVED, 1))
                .isInstanceOfSatisfying(Decision.Placed.class, placed -> {
                    assertThat(placed.state()).isEqualTo(new State(2, 3, 1, 2, State.Mode.ACTIVE, 1, 2, 1));
                    assertThat(placed.removed()).isEqualTo(IndexSet.of(0));
                    assertThat(placed.added()).isEqualTo(NONE);
                    assertThat(placed.change()).contains("1");
                });
    }

    @Test
    void partOfEachRankIsAtItsPositionInTheWorldBefore() {
        World before = ALL.assign(World.initial(4).lose(IndexSet.of(1)));
        World next = ALL.assign(before.lose(IndexSet.of(2)));

        List<Value> written = DecisionCodec.writeAll(before, next, NONE);

        assertThat(written).hasSize(3);
        assertThat(DecisionCodec.read(written.get(1), identity(2, 4), Entry.SURVIVED, 2))
                .isEqualTo(new Decision.Discarded(2, "it is lost"));
        assertThat(DecisionCodec.read(written.get(2), identity(3, 4), Entry.SURVIVED, 2))
                .isInstanceOfSatisfying(Decision.Placed.class, placed -> {
                    assertThat(placed.state()).isEqualTo(new State(3, 4, 1, 2, State.Mode.ACTIVE, 1, 2, 2));
                    assertThat(placed.removed()).isEqualTo(IndexSet.of(2));
                });
    }

    @Test
    void joinerIsPlacedAndTheOthersLearnIt() {
        World before = ALL.assign(World.initial(2).lose(IndexSet.of(0))).join(5, List.of());
        World next = ALL.assign(before);

        List<Value> written = DecisionCodec.writeAll(before, next, IndexSet.of(5));

        assertThat(DecisionCodec.read(written.get(1), identity(5, 2), Entry.JOINED, 3))
                .isInstanceOfSatisfying(Decision.Placed.class, placed -> {
                    assertThat(placed.state())
                            .isEqualTo(
                                    new State(5, 2, 1, 2, State.Mode.ACTIVE, 1, 2, 3).withOrigin(Entry.JOINED, 0, 3));
                    assertThat(placed.added()).isEqualTo(IndexSet.of(5));
                });
        assertThat(DecisionCodec.read(written.get(0), identity(1, 2), Entry.SURVIVED, 3))
                .isInstanceOfSatisfying(Decision.Placed.class, placed -> {
                    assertThat(placed.added()).isEqualTo(IndexSet.of(5));
                    assertThat(placed.removed()).isEqualTo(NONE);
                });
    }

    @Test
    void joinerThatIsNotAdmittedIsToldNothing() {
        World before = ALL.assign(World.initial(2)).join(5, List.of()).join(6, List.of());
        World next = ALL.assign(before.lose(IndexSet.of(5)));

        List<Value> written = DecisionCodec.writeAll(before, next, IndexSet.of(5, 6));

        assertThat(written.get(2)).isEqualTo(Value.empty());
        assertThat(DecisionCodec.read(written.get(3), identity(6, 2), Entry.JOINED, 3))
                .isInstanceOfSatisfying(
                        Decision.Placed.class,
                        placed -> assertThat(placed.added()).isEqualTo(IndexSet.of(6)));
    }

    @Test
    void stateSaysInWhichGenerationItIs() {
        World before = World.initial(2);
        List<Value> written = DecisionCodec.writeAll(before, ALL.assign(before), NONE);
        Identity second = new Identity(1, 2, new Generation(1, 100, 4), "");

        assertThat(DecisionCodec.read(written.get(1), second, Entry.SURVIVED, 102))
                .isInstanceOfSatisfying(Decision.Placed.class, placed -> {
                    assertThat(placed.state().generation()).isEqualTo(1);
                    assertThat(placed.state().jobRestarts()).isEqualTo(6);
                    assertThat(placed.state().iteration()).isEqualTo(102);
                });
    }

    @Test
    void reserveLearnsThatItIsOne() {
        World before = World.initial(2);
        World next = RankAssignment.compose(RankAssignment.maxActiveWorldSize(1), RankAssignment.shiftRanks())
                .assign(before);
        List<Value> written = DecisionCodec.writeAll(before, next, NONE);

        assertThat(DecisionCodec.read(written.get(1), identity(1, 2), Entry.FOUNDED, 0))
                .isInstanceOfSatisfying(
                        Decision.Placed.class,
                        placed -> assertThat(placed.state().isActive()).isFalse());
    }

    @Test
    void rankThatIsLeftOutLearnsWhy() {
        World before = World.initial(2);
        World next = RankAssignment.shiftRanks().assign(before.lose(IndexSet.of(1)));
        List<Value> written = DecisionCodec.writeAll(before, next, NONE);

        assertThat(DecisionCodec.read(written.get(1), identity(1, 2), Entry.SURVIVED, 3))
                .isInstanceOfSatisfying(Decision.Discarded.class, discarded -> {
                    assertThat(discarded.iteration()).isEqualTo(3);
                    assertThat(discarded.reason()).isNotEmpty();
                });
    }

    @Test
    void endOfTheJobIsToldToAllWhoLive() {
        World before = ALL.assign(World.initial(3)).lose(IndexSet.of(1)).join(7, List.of());
        Shortage shortage = new Shortage(2, 3, IndexSet.of(0, 2), IndexSet.of(7), Duration.ofMillis(12_345));

        List<Value> written = DecisionCodec.writeTooFewRanks(before, shortage);

        assertThat(written.get(1)).as("of rank 1, which is lost").isEqualTo(Value.empty());
        for (int position : new int[] {0, 2, 3}) {
            assertThat(DecisionCodec.read(written.get(position), identity(position, 3), Entry.SURVIVED, 2))
                    .isEqualTo(new Decision.TooFewRanks(shortage));
        }
    }

    @Test
    void endOfTheJobNamesNobodyWhereNobodyCame() {
        Shortage shortage = new Shortage(0, 1, NONE, NONE, Duration.ZERO);

        List<Value> written = DecisionCodec.writeTooFewRanks(World.initial(1), shortage);

        assertThat(DecisionCodec.read(written.get(0), identity(0, 1), Entry.FOUNDED, 0))
                .isEqualTo(new Decision.TooFewRanks(shortage));
    }
}

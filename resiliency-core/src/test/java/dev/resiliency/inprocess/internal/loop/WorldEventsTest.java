package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent.Changed;
import dev.resiliency.inprocess.WorldEvent.Replaced;
import dev.resiliency.inprocess.WorldEvent.ScaledDown;
import dev.resiliency.inprocess.WorldEvent.ScaledUp;
import dev.resiliency.store.IndexSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorldEventsTest {
    private static final IndexSet NONE = IndexSet.empty();

    private static State state(int iteration, int worldSize, int activeWorldSize) {
        return new State(0, 4, 0, worldSize, State.Mode.ACTIVE, 0, activeWorldSize, iteration);
    }

    private static @Nullable Changed change(State before, State after, IndexSet left, IndexSet came) {
        return WorldEvents.between(before, after, left, came);
    }

    private static void assertChange(@Nullable Changed change, Changed expected) {
        assertThat(change)
                .usingRecursiveComparison()
                .withStrictTypeChecking()
                .ignoringFields("time")
                .isEqualTo(expected);
    }

    @Test
    void restartWithTheSameMembersChangesNothing() {
        assertThat(change(state(0, 4, 4), state(1, 4, 4), NONE, NONE)).isNull();
    }

    @Test
    void lossWithoutReplacementScalesDown() {
        assertChange(
                change(state(0, 4, 4), state(1, 3, 3), IndexSet.of(2), NONE),
                new ScaledDown(1, 4, 3, IndexSet.of(2), NONE));
    }

    @Test
    void joinersScaleUp() {
        assertChange(
                change(state(1, 3, 3), state(2, 5, 5), NONE, IndexSet.of(4, 5)),
                new ScaledUp(2, 3, 5, NONE, IndexSet.of(4, 5)));
    }

    @Test
    void joinerInsteadOfALostRankReplacesIt() {
        assertChange(
                change(state(6, 4, 4), state(7, 4, 4), IndexSet.of(2), IndexSet.of(4)),
                new Replaced(7, 4, IndexSet.of(2), IndexSet.of(4)));
    }

    @Test
    void reserveInsteadOfALostRankReplacesIt() {
        Changed change = change(state(0, 5, 4), state(1, 4, 4), IndexSet.of(2), NONE);

        assertChange(change, new Replaced(1, 4, IndexSet.of(2), NONE));
        assertThat(change).extracting(Changed::activeWorldSizeBefore).isEqualTo(4);
    }

    @Test
    void reserveThatComesChangesTheMembersOnly() {
        assertChange(
                change(state(0, 4, 4), state(1, 5, 4), NONE, IndexSet.of(4)), new Replaced(1, 4, NONE, IndexSet.of(4)));
    }

    @Test
    void fewerJoinersThanLossesScaleDown() {
        assertChange(
                change(state(0, 4, 4), state(1, 3, 3), IndexSet.of(2, 3), IndexSet.of(4)),
                new ScaledDown(1, 4, 3, IndexSet.of(2, 3), IndexSet.of(4)));
    }

    /** With an assignment that keeps the active world even, say. */
    @Test
    void activeWorldMayChangeWithoutItsMembers() {
        assertChange(change(state(0, 4, 4), state(1, 4, 3), NONE, NONE), new ScaledDown(1, 4, 3, NONE, NONE));
    }
}

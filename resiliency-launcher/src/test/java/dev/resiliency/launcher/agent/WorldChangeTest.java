package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.store.IndexSet;
import org.junit.jupiter.api.Test;

class WorldChangeTest {
    private static final IndexSet NONE = IndexSet.empty();

    private static Seat seat(int cycle, int nodes) {
        return new Seat(cycle, 0, nodes, 4);
    }

    private static WorldEvent event(Seat before, Seat now) {
        return WorldChange.between(before, now, WorldChange.STARTED).event(now);
    }

    private static void assertEvent(WorldEvent event, WorldEvent expected) {
        assertThat(event)
                .hasSameClassAs(expected)
                .usingRecursiveComparison()
                .ignoringFields("time")
                .isEqualTo(expected);
    }

    @Test
    void firstCycleOfAnAgentHasStartedWhateverItsNumber() {
        assertEvent(WorldChange.STARTED.event(seat(3, 2)), new WorldEvent.Started(3, 8));
    }

    @Test
    void worldOfTheNextCycleIsComparedWithTheOneBefore() {
        assertEvent(event(seat(0, 2), seat(1, 3)), new WorldEvent.ScaledUp(1, 8, 12, NONE, IndexSet.range(8, 12)));
        assertEvent(event(seat(1, 3), seat(2, 1)), new WorldEvent.ScaledDown(2, 12, 4, IndexSet.range(4, 12), NONE));
        assertEvent(event(seat(2, 2), seat(3, 2)), new WorldEvent.Replaced(3, 8, NONE, NONE));
    }

    @Test
    void seatThatIsTakenAgainInTheSameCycleChangesNothing() {
        WorldChange last = WorldChange.between(seat(0, 2), seat(1, 3), WorldChange.STARTED);

        assertThat(WorldChange.between(seat(1, 3), seat(1, 3), last)).isEqualTo(last);
        assertEvent(last.event(seat(1, 3)), new WorldEvent.ScaledUp(1, 8, 12, NONE, IndexSet.range(8, 12)));
    }
}

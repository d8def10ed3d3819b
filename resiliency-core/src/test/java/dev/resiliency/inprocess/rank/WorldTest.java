package dev.resiliency.inprocess.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.IndexSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorldTest {
    private final World world = RankAssignment.shiftRanks().assign(World.initial(3));

    @Test
    void joinerIsTheLastOneHealthyAndWithoutARole() {
        World grown = world.lose(IndexSet.of(1)).join(3, List.of("host-0")).join(7, List.of("host-1"));

        assertThat(grown.size()).isEqualTo(5);
        assertThat(grown.healthyMembers()).isEqualTo(IndexSet.of(0, 2, 3, 7));
        assertThat(grown.activeMembers()).isEqualTo(IndexSet.of(0, 1, 2));
        assertThat(grown.isNew()).isFalse();
        Placement last = grown.placements().get(4);
        assertThat(last).isEqualTo(Placement.joining(7, 4, List.of("host-1")));
        assertThat(last.isNew()).isTrue();
        assertThat(last.isJoining()).isTrue();
    }

    @Test
    void joinerOfTheInitialWorldDiffersFromItsFounders() {
        World initial = World.initial(2).join(2, List.of());

        assertThat(initial.isNew()).isTrue();
        assertThat(initial.placements()).extracting(Placement::isJoining).containsExactly(false, false, true);
        assertThat(RankAssignment.shiftRanks().assign(initial).placements()).noneMatch(Placement::isJoining);
    }

    @Test
    void rankToWhichTheAssignmentGivesNoRoleIsAReserve() {
        World grown = world.join(3, List.of()).checked();

        assertThat(grown.placements().get(3).isNew()).isFalse();
        assertThat(grown.placements().get(3).isActive()).isFalse();
        assertThat(grown.placements().get(3).reason()).isEqualTo("the rank assignment gave it no role");
        assertThat(grown.checked()).isSameAs(grown);
    }

    @Test
    void joinersStandInTheOrderOfTheirNumbers() {
        World grown = world.join(Map.of(9, List.of("c"), 3, List.of("a"), 7, List.of("b")));

        assertThat(grown.placements().subList(3, 6))
                .containsExactly(
                        Placement.joining(3, 3, List.of("a")),
                        Placement.joining(7, 4, List.of("b")),
                        Placement.joining(9, 5, List.of("c")));
    }

    @Test
    void worldThatIsJoinedStaysAsItWas() {
        world.join(3, List.of());

        assertThat(world.members()).isEqualTo(IndexSet.of(0, 1, 2));
    }

    @Test
    void numberIsUsedOnce() {
        World lost = world.lose(IndexSet.of(1));

        assertThatThrownBy(() -> lost.join(1, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("initial rank 1 is in this world already");
    }
}

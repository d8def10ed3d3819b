package dev.resiliency.inprocess.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

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

    @Test
    void iterationStartsWithoutLostRanksAndWithoutGapsOnly() {
        World lost = world.lose(IndexSet.of(1));
        List<Placement> healthy =
                lost.placements().stream().filter(Placement::healthy).toList();
        List<Placement> inactiveFirst = List.of(
                world.placements().get(0).deactivated(0, ""),
                world.placements().get(1),
                world.placements().get(2));

        assertThatThrownBy(lost::checked)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the rank assignment kept initial rank 1, which is lost: compose it with shiftRanks,"
                        + " which closes the gaps");
        assertThatThrownBy(lost.with(healthy)::checked)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the rank assignment left a gap or a duplicate: initial rank 2 has rank 2 where 1 is due");
        assertThatThrownBy(world.with(inactiveFirst)::checked)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the rank assignment left a gap or a duplicate: initial rank 1 has active rank 1 where 0"
                        + " is due");
    }

    @Test
    void allLeaveAWorldInWhichNobodyIsActive() {
        World idle = world.with(world.placements().stream()
                .map(each -> each.deactivated(each.rank(), "too few"))
                .toList());

        World checked = idle.checked();

        assertThat(checked.placements()).isEmpty();
        assertThat(checked.leaving())
                .hasSize(3)
                .allSatisfy(each -> assertThat(each)
                        .returns(false, Placement::healthy)
                        .returns("no rank would be active: too few", Placement::reason));
    }

    @Test
    void lastOnesAndThoseWhoJoinFillTheGapsAndSayWhich() {
        World five = RankAssignment.shiftRanks().assign(World.initial(5));
        World lost = five.lose(IndexSet.of(1, 2));

        assertThat(RankAssignment.fillGaps().assign(lost).placements())
                .extracting(Placement::initialRank, Placement::activeRank, Placement::reason)
                .containsExactly(
                        tuple(0, 0, ""),
                        tuple(3, 1, "fills the gap at rank 1"),
                        tuple(4, 2, "fills the gap at rank 2"));
        assertThat(RankAssignment.fillGaps()
                        .assign(lost.join(7, List.of()).join(8, List.of()))
                        .placements())
                .extracting(Placement::initialRank, Placement::activeRank, Placement::reason)
                .containsExactly(
                        tuple(0, 0, ""),
                        tuple(7, 1, "joined in the place of rank 1"),
                        tuple(8, 2, "joined in the place of rank 2"),
                        tuple(3, 3, ""),
                        tuple(4, 4, ""));
        assertThat(RankAssignment.fillGaps().assign(five.join(7, List.of())).placements())
                .last()
                .returns(5, Placement::activeRank)
                .returns("", Placement::reason);
    }

    @Test
    void assignmentsRunOneAfterTheOther() {
        RankAssignment both = RankAssignment.shiftRanks().andThen(RankAssignment.maxActiveWorldSize(1));

        assertThat(both.assign(world.lose(IndexSet.of(0))).placements())
                .extracting(Placement::initialRank, Placement::activeRank)
                .containsExactly(tuple(1, 0), tuple(2, Placement.NONE));
    }
}

package dev.resiliency.inprocess.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The limit of active ranks that a job adds to its assignment, and the spare ranks beyond it. */
class LimitedAssignmentTest {
    private static final RankAssignment SHIFT =
            RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());
    private static final RankAssignment FILL =
            RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.fillGaps());
    private static final RankAssignment TREE = new Tree(Layer.root().flags(Layer.Flag.RESERVE));

    @Test
    void joinerOfAFullWorldIsASpare() throws Exception {
        for (RankAssignment assignment : List.of(SHIFT, FILL, TREE)) {
            assertThat(WorldPicture.rows(withSpare(assignment)))
                    .as(assignment.toString())
                    .isEqualTo("""
                initial rank | 0 | 1 | 2 | 3 | 4 |
                active rank  | 0 | 1 | 2 | 3 | - |\
                """);
        }
    }

    @Test
    void spareStepsInAndTheOthersStay() throws Exception {
        assertThat(afterLoss(FILL)).isEqualTo("""
            initial rank | 0 | 4 | 2 | 3 |
            active rank  | 0 | 1 | 2 | 3 |\
            """);
        assertThat(afterLoss(TREE)).isEqualTo("""
            initial rank | 0 | 2 | 3 | 4 |
            active rank  | 0 | 2 | 3 | 1 |\
            """);
    }

    @Test
    void spareMovesUpIfRanksShift() throws Exception {
        assertThat(afterLoss(SHIFT)).isEqualTo("""
            initial rank | 0 | 2 | 3 | 4 |
            active rank  | 0 | 1 | 2 | 3 |\
            """);
    }

    @Test
    void conditionsOnTheActiveWorldSizeStillHold() throws Exception {
        RankAssignment divisible =
                RankAssignment.compose(RankAssignment.activeWorldSizeDivisibleBy(3), RankAssignment.shiftRanks());
        Tree filtered = new Tree(Layer.root()).worldSizeFilter(size -> size / 3 * 3);

        for (RankAssignment assignment : List.of(divisible, filtered)) {
            World world = assignment.limitedTo(8).assign(Worlds.initial(assignment, 8));
            for (int joiner = 8; joiner < 12; joiner++) {
                world = assignment.limitedTo(8).assign(Worlds.join(world, assignment, joiner, joiner));
                assertThat(world.activeSize()).as(assignment.toString()).isEqualTo(6);
            }
            assertThat(assignment
                            .limitedTo(9)
                            .assign(Worlds.join(world, assignment, 12, 12))
                            .activeSize())
                    .isEqualTo(9);
        }
    }

    @Test
    void customAssignmentIsLimitedAndKeepsItsKeys() throws Exception {
        RankAssignment custom = new RankAssignment() {
            @Override
            public List<GroupKey> keys() {
                return List.of(GroupKey.of("k"));
            }

            @Override
            public World assign(World world) {
                return world.with(world.placements().stream()
                        .map(each -> each.activated(each.rank(), world.key(each, 0)))
                        .toList());
            }
        };
        RankAssignment limited = custom.limitedTo(2);

        assertThat(limited.keys()).hasSize(1);
        assertThat(WorldPicture.rows(limited.assign(Worlds.initial(limited, 3))))
                .isEqualTo("""
            initial rank | 0 | 1 | 2 |
            active rank  | 0 | 1 | - |\
            """);
    }

    @Test
    void limitedAssignmentIsCompleteInItself() {
        for (RankAssignment assignment : List.of(SHIFT, TREE)) {
            RankAssignment limited = assignment.limitedTo(4);

            assertThat(RankAssignment.compose(limited)).isSameAs(limited);
        }
        assertThat(SHIFT.limitedTo(4)).hasToString("compose(maxRanks, activateAllRanks, shiftRanks)");
        assertThatThrownBy(() -> SHIFT.limitedTo(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the maximum number of active ranks must be at least 1, not 0");
    }

    private static World withSpare(RankAssignment assignment) throws Exception {
        RankAssignment limited = assignment.limitedTo(4);
        return limited.assign(Worlds.join(limited.assign(Worlds.initial(assignment, 4)), assignment, 4, 4));
    }

    private static String afterLoss(RankAssignment assignment) throws Exception {
        return WorldPicture.rows(assignment.limitedTo(4).assign(Worlds.loseRanks(withSpare(assignment), 1)));
    }
}

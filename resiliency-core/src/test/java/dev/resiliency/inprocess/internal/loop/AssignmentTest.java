package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.protocol.RoleChange;
import dev.resiliency.inprocess.rank.GroupKey;
import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.Tree;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class AssignmentTest {
    @Test
    void conditionOfTheUserHoldsBelowTheLimit() {
        Assignment assignment = new Assignment(
                RankAssignment.compose(RankAssignment.activeWorldSizeDivisibleBy(3), RankAssignment.shiftRanks()), 8);
        World world = assignment.assign(0, World.initial(8));

        assertThat(world.activeSize()).isEqualTo(6);
        assertThat(assignment.assign(1, world.join(8, List.of())).activeSize()).isEqualTo(6);
    }

    @Test
    void joinerThatIsAnotherProgramIsLeftOutAndHarmsNobody() {
        Assignment assignment =
                new Assignment(new Tree(Layer.root(), Layer.by(GroupKey.hostName())), Integer.MAX_VALUE);
        World world = assignment.assign(0, World.initial(List.of(List.of("root", "a"), List.of("root", "a"))));
        World before = world.join(2, List.of("root")).join(3, List.of("root", "a"));

        World next = assignment.assign(1, before);

        assertThat(next.members()).isEqualTo(IndexSet.of(0, 1, 3));
        assertThat(assignment.refusals(before))
                .containsExactly("rank 2 is left out, as its program groups ranks by 1 keys, and that of the job by 2");
        assertThat(assignment.refusals(world)).isEmpty();
        assertThat(RoleChange.between(before, next))
                .extracting(each -> each.initialRank() + ": " + each)
                .containsExactly(
                        "2: new -> left out: its program groups ranks by 1 keys, and that of the job by 2",
                        "3: new -> active rank 2: joined");
    }
}

package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorldTableTest {
    @Test
    void joinersAreListedWithTheOthers() {
        RankAssignment assignment = RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.fillGaps())
                .limitedTo(3);
        World before = assignment
                .assign(World.initial(3))
                .lose(IndexSet.of(1))
                .join(3, List.of())
                .join(4, List.of());

        assertThat(new WorldTable(before, assignment.assign(before))).hasToString("""

              rank 0: initial rank 0, active rank 0
              rank 1: initial rank 4, active rank 1
              rank 2: initial rank 2, active rank 2
              rank 3: initial rank 3, reserve
              initial rank 3: new -> reserve: maxRanks(3) leaves 3 of 4 active
              initial rank 4: new -> active rank 1: joined in the place of rank 1\
            """);
    }
}

package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.launcher.rendezvous.JobStatus.NodeStatus;
import dev.resiliency.launcher.rendezvous.JobStatus.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job that was founded with two nodes of four ranks. */
class ScalingTest {
    private final List<NodeStatus> nodes = new ArrayList<>();

    private void seated(String name, int group, State state) {
        nodes.add(
                new NodeStatus(new Node(nodes.size(), name, name, Node.NO_RANK, ""), state, new Seat(1, group, 2, 4)));
    }

    private void waiting(String name) {
        nodes.add(new NodeStatus(new Node(nodes.size(), name, name, Node.NO_RANK, ""), State.RUNS, null));
    }

    private Scaling scale(String policy, String host, int min, int max) {
        return Scaling.of(
                new JobStatus(new Terms(2, 4, policy, 0, true), 1, 0, "", nodes), host, new NodeRange(min, max));
    }

    private static List<String> names(Scaling scaling) {
        return scaling.leaving().stream().map(Node::name).toList();
    }

    @Test
    void nodesWithTheHighestGroupRanksLeaveButNotTheHostOfTheStore() {
        seated("a", 0, State.RUNS);
        seated("b", 2, State.RUNS);
        seated("c", 1, State.RUNS);
        seated("d", 3, State.LOST);

        assertThat(names(scale("soft", "a", 1, 2))).containsExactly("b");
        assertThat(names(scale("soft", "b", 1, 1))).containsExactly("c", "a");
        assertThat(names(scale("soft", "", 1, 1))).containsExactly("b", "c");
        assertThat(names(scale("soft", "a", 2, 3))).isEmpty();
    }

    @Test
    void nodesThatLeaveOrWaitForASeatAreNotAskedAgain() {
        seated("a", 0, State.RUNS);
        seated("b", 1, State.RUNS);
        seated("c", 2, State.LEAVES);
        waiting("d");

        assertThat(names(scale("soft", "a", 1, 2))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"soft, 2, 2, false", "soft, 1, 2, false", "hard, 2, 3, false", "hard, 1, 3, true", "hard, 3, 3, true"})
    void allStartAgainIfTheWorldChangesItsSizeAndThePolicyIsHard(String policy, int min, int max, boolean callsCycle) {
        seated("a", 0, State.RUNS);
        seated("b", 1, State.RUNS);
        waiting("c");

        assertThat(scale(policy, "a", min, max).callsCycle()).isEqualTo(callsCycle);
    }

    @Test
    void hardJobThatLosesANodeStartsAgainEvenIfItWasSpare() {
        seated("a", 0, State.RUNS);
        seated("b", 1, State.RUNS);
        seated("c", 2, State.RUNS);

        assertThat(scale("hard", "a", 2, 2).callsCycle()).isTrue();
    }

    @Test
    void worldOfRanksThatGoOnKeepsItsSizeAndTheUserIsToldSo() {
        seated("a", 0, State.RUNS);
        seated("b", 1, State.RUNS);

        assertThat(scale("soft", "a", 1, 2).text(new NodeRange(1, 2), 2))
                .startsWith("nnodes is 1:2 from now on. WORLD_SIZE stays 8, that of 2 nodes")
                .endsWith(
                        "'resiliency restart' starts all with the WORLD_SIZE of --nnodes 1:2, which ranks with a Wrapper refuse");
        assertThat(scale("soft", "a", 2, 2).notice()).isEmpty();
        assertThat(scale("hard", "a", 1, 1).text(new NodeRange(1, 1), 2))
                .isEqualTo("nnodes is 1:1 from now on; asked to leave: b; all ranks start again in cycle 2");
    }

    @Test
    void impossibleSizesAreRefused() {
        seated("a", 0, State.RUNS);
        seated("b", 1, State.LOST);

        assertThatThrownBy(() -> scale("soft", "a", 2, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1 of 2 nodes are there, and the job would wait for the others: start their agents first");
        assertThatThrownBy(() -> new NodeRange(0, 2)).hasMessageContaining("the minimum must be at least 1");
        assertThatThrownBy(() -> new NodeRange(3, 2)).hasMessageContaining("3:2 is no number of nodes");
    }

    @Test
    void jobWithSegmentsHasWholeOnes() {
        seated("a", 0, State.RUNS);
        seated("b", 1, State.RUNS);
        JobStatus job = new JobStatus(new Terms(2, 4, "hard", 2, true), 1, 0, "", nodes);

        assertThatThrownBy(() -> Scaling.of(job, "a", new NodeRange(1, 2)))
                .hasMessage("only whole segments get ranks, and 1 nodes are not a multiple of --segment 2");
        assertThat(Scaling.of(job, "a", new NodeRange(2, 4)).leaving()).isEmpty();
    }
}

package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.demo.LaunchPlan.Act;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaunchPlanTest {
    private static final LaunchPlan PLAN = new LaunchPlan(1000, 0, true);

    @Test
    void processesAreNumberedNodeByNode() {
        assertThat(PLAN.processesOf(0)).containsExactly(0, 1, 2);
        assertThat(PLAN.processesOf(3)).containsExactly(9, 10, 11);
        assertThat(PLAN.processesOf(4)).containsExactly(12, 13);
        assertThat(PLAN.processes()).isEqualTo(16);
        assertThat(PLAN.names())
                .hasSize(16)
                .startsWith("0.0", "0.1", "0.2", "1.0")
                .endsWith("5.0", "5.1");
    }

    @Test
    void processIsFoundByTheNameThatItsAgentGivesIt() {
        assertThat(PLAN.process(1, "rank 3")).isEqualTo(4);
        assertThat(PLAN.process(1, "spare 1.2")).isEqualTo(5);
        assertThat(PLAN.process(4, "spare 4.0")).isEqualTo(12);
        assertThat(PLAN.process(5, "rank 7"))
                .as("a spare node in the place of a lost one")
                .isEqualTo(15);
    }

    @Test
    void actsHappenOneAfterTheOther() {
        assertThat(PLAN.due(List.of(), 99)).isEmpty();
        assertThat(PLAN.due(List.of(), 100)).contains(Act.KILL_RANK);
        assertThat(PLAN.due(List.of(Act.KILL_RANK), 200)).isEmpty();
        assertThat(PLAN.due(List.of(Act.KILL_RANK), 900)).contains(Act.KILL_AGENT);
        assertThat(PLAN.due(List.of(Act.values()), 1000)).isEmpty();
    }

    @Test
    void withoutFaultsOnlyTheSpareNodesCome() {
        LaunchPlan plan = new LaunchPlan(1000, 0, false);

        assertThat(plan.due(List.of(), 499)).isEmpty();
        assertThat(plan.due(List.of(), 500)).contains(Act.POOL_COMES);
        assertThat(plan.due(List.of(Act.POOL_COMES), 1000)).isEmpty();
        assertThat(plan.replacements()).isZero();
    }

    @Test
    void tallyComparesWhatAgentsReportWithThePlan() {
        LaunchTally tally = new LaunchTally();
        assertThat(tally.problems(new LaunchPlan(1000, 0, false))).isEmpty();
        assertThat(tally.problems(PLAN))
                .containsExactly("0 processes were replaced, and not 7", "the agents reported 0 lost nodes, and not 2");
    }
}

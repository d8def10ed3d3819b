package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.bench.chaos.JobEvents.Expected;
import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Four nodes with two ranks each; process 3 is the second one of node 1. */
class AgentOutcomeTest {
    private final Board board = new Board(8, 8, new Timeline(0));

    AgentOutcomeTest() {
        for (int rank = 0; rank < 8; rank++) {
            board.launched("rank " + rank, rank, rank / 2, 100 + rank);
        }
    }

    private static ChaosFault fault(int id, Place place, int process, FaultKind kind) {
        return new ChaosFault(id, kind, place, process, Duration.ZERO);
    }

    private AgentOutcome outcome(String policy, ChaosFault... faults) {
        return outcome(policy, -1, faults);
    }

    private AgentOutcome outcome(String policy, int host, ChaosFault... faults) {
        JobSettings.UnderAgents settings = new JobSettings.UnderAgents(1, 4, 2, 0, policy, host >= 0, 1);
        return new AgentOutcome(settings, board, host, List.of(faults), board.survivors());
    }

    @Test
    void policyDecidesWhatTheEndOfARankCosts() {
        ChaosFault exit = fault(0, Place.EXIT, 3, FaultKind.SIGKILL);

        assertThat(outcome("soft", exit).hit())
                .extracting(process -> process.index)
                .containsExactly(3);
        assertThat(outcome("soft-no-replace", exit).hit())
                .extracting(process -> process.index)
                .containsExactly(2, 3);
        assertThat(outcome("hard", exit).hit())
                .extracting(process -> process.index)
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(outcome("soft", exit).events())
                .containsExactly(
                        new Expected("RANK_ENDED", "node1", "(process 103)"), new Expected("RESTART", "node1", ""));
        assertThat(outcome("soft", exit).agents()).isEmpty();
    }

    @Test
    void faultThatARankSurvivesCostsNothing() {
        AgentOutcome outcome = outcome("hard", fault(0, Place.STEP, 3, FaultKind.EXCEPTION));

        assertThat(outcome.hit()).isEmpty();
        assertThat(outcome.events()).isEmpty();
        assertThat(outcome.isHarmless()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"AGENT_USR1", "AGENT_PAUSE", "STARVATION"})
    void whatTheJobMustBearCostsNothing(Place place) {
        AgentOutcome outcome = outcome("hard", fault(1, place, place.isOfJob() ? -1 : 1, FaultKind.SIGKILL));

        assertThat(outcome.isHarmless()).isTrue();
        assertThat(outcome.hit()).isEmpty();
        assertThat(outcome.agents()).isEmpty();
        assertThat(outcome.events()).isEmpty();
    }

    @Test
    void killedAgentCostsItsNodeAndIsNamedAsLost() {
        AgentOutcome outcome = outcome("soft", fault(1, Place.AGENT_KILL, 2, FaultKind.SIGKILL));

        assertThat(outcome.hit()).extracting(process -> process.index).containsExactly(4, 5);
        assertThat(outcome.agents()).containsExactly(2);
        assertThat(outcome.exitCodes(2)).containsExactly(137);
        assertThat(outcome.exitCodes(1)).as("must not exit").isEmpty();
        assertThat(outcome.events())
                .containsExactly(
                        new Expected("NODE_LOST", "", "node node2 "),
                        new Expected("NODE_CAME", "node2", "node node2 "));
    }

    @Test
    void scaledJobLosesItsLastNode() {
        AgentOutcome outcome = outcome("soft", fault(1, Place.SCALE, -1, FaultKind.SIGKILL));

        assertThat(outcome.hit()).extracting(process -> process.index).containsExactly(6, 7);
        assertThat(outcome.agents()).containsExactly(3);
        assertThat(outcome("soft", 3, fault(1, Place.SCALE, -1, FaultKind.SIGKILL))
                        .agents())
                .as("the host stays")
                .containsExactly(2);
    }

    @Test
    void lostHostOfTheStoreCostsItsNodeAndWhatWasWrittenLast() {
        ChaosFault kill = fault(1, Place.AGENT_KILL, 2, FaultKind.SIGKILL);
        AgentOutcome outcome = outcome("soft", 2, kill);

        assertThat(outcome.hit()).extracting(process -> process.index).containsExactly(4, 5);
        assertThat(outcome.events())
                .containsExactly(new Expected("CYCLE", "", ""), new Expected("NODE_CAME", "node2", "node node2 "));
        assertThat(outcome.isUncertain()).isFalse();
        ChaosFault another = fault(2, Place.EXIT, 3, FaultKind.SIGKILL);
        assertThat(outcome("soft", 2, kill, another).isUncertain()).isTrue();
        assertThat(outcome("soft", 1, kill).events()).contains(new Expected("NODE_LOST", "", "node node2 "));
    }
}

package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.bench.chaos.LaunchedEvents.Expected;
import dev.resiliency.examples.bench.chaos.LaunchedFault.Kind;
import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LaunchedBatchTest {
    private final List<LaunchedProcess> processes = new ArrayList<>();

    LaunchedBatchTest() {
        for (int node = 0; node < 4; node++) {
            processes.add(new LaunchedProcess(0, node, "rank " + 2 * node, 10L * node));
            processes.add(new LaunchedProcess(1, node, "rank " + (2 * node + 1), 10L * node + 1));
        }
    }

    private static LaunchedFault fault(int id, Kind kind, int node, FaultKind fault) {
        return new LaunchedFault(id, kind, node, Duration.ZERO, fault, 1, Duration.ZERO);
    }

    private LaunchedBatch batch(String policy, LaunchedFault... faults) {
        LaunchedSettings settings = new LaunchedSettings(1, 4, 2, 0, policy, 1);
        LaunchedProcess victim = processes.get(3);
        return new LaunchedBatch(settings, List.of(faults), processes, Map.of(0, victim), 3);
    }

    @Test
    void policyDecidesWhatTheEndOfARankCosts() {
        LaunchedFault exit = fault(0, Kind.EXIT, 1, FaultKind.SIGKILL);

        assertThat(batch("soft", exit).hit()).containsExactly(processes.get(3));
        assertThat(batch("soft-no-replace", exit).hit()).containsExactlyElementsOf(processes.subList(2, 4));
        assertThat(batch("hard", exit).hit()).containsExactlyElementsOf(processes);
        assertThat(batch("soft", exit).events())
                .containsExactly(
                        new Expected("RANK_ENDED", "node1", "(process 11)"), new Expected("RESTART", "node1", ""));
        assertThat(batch("soft", exit).agents()).isEmpty();
    }

    @Test
    void faultThatARankSurvivesCostsNothing() {
        LaunchedBatch batch = batch("hard", fault(0, Kind.FAULT, 1, FaultKind.EXCEPTION));

        assertThat(batch.hit()).isEmpty();
        assertThat(batch.events()).isEmpty();
        assertThat(batch.isHarmless()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"AGENT_USR1", "STARVATION", "STRANGERS"})
    void whatTheJobMustBearCostsNothing(Kind kind) {
        LaunchedBatch batch = batch("hard", fault(1, kind, kind.isOfJob() ? -1 : 1, FaultKind.SIGKILL));

        assertThat(batch.isHarmless()).isTrue();
        assertThat(batch.hit()).isEmpty();
        assertThat(batch.agents()).isEmpty();
        assertThat(batch.events()).isEmpty();
    }

    @Test
    void agentThatStandsStillForLessThanItsLeaseCostsNothing() {
        LaunchedBatch batch = batch("soft", fault(1, Kind.AGENT_PAUSE, 1, FaultKind.SIGKILL));

        assertThat(batch.isHarmless()).isTrue();
        assertThat(batch.agents()).isEmpty();
    }

    @Test
    void killedAgentCostsItsNodeAndIsNamedAsLost() {
        LaunchedBatch batch = batch("soft", fault(1, Kind.AGENT_KILL, 2, FaultKind.SIGKILL));

        assertThat(batch.hit()).containsExactlyElementsOf(processes.subList(4, 6));
        assertThat(batch.agents()).containsExactly(2);
        assertThat(batch.exitCodes(2)).containsExactly(137);
        assertThat(batch.exitCodes(1)).as("must not exit").isEmpty();
        assertThat(batch.events())
                .containsExactly(
                        new Expected("NODE_LOST", "", "node node2 "),
                        new Expected("NODE_CAME", "node2", "node node2 "));
    }

    @Test
    void scaledJobLosesItsLastNode() {
        LaunchedBatch batch = batch("soft", fault(1, Kind.SCALE, -1, FaultKind.SIGKILL));

        assertThat(batch.hit()).containsExactlyElementsOf(processes.subList(6, 8));
        assertThat(batch.agents()).containsExactly(3);
    }
}

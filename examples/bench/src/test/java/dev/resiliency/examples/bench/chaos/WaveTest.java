package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.bench.chaos.Blow.Kind;
import dev.resiliency.examples.bench.chaos.LaunchedEvents.Expected;
import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WaveTest {
    private final List<LaunchedProcess> processes = new ArrayList<>();

    WaveTest() {
        for (int node = 0; node < 4; node++) {
            processes.add(new LaunchedProcess(0, node, "rank " + 2 * node, 10L * node));
            processes.add(new LaunchedProcess(1, node, "rank " + (2 * node + 1), 10L * node + 1));
        }
    }

    private static Blow blow(int id, Kind kind, int node, FaultKind fault) {
        return new Blow(id, kind, node, Duration.ZERO, fault, 1, Duration.ZERO);
    }

    private Wave wave(String policy, Blow... blows) {
        LaunchedSettings settings = new LaunchedSettings(1, 4, 2, 0, policy, 1);
        LaunchedProcess victim = processes.get(3);
        return new Wave(settings, List.of(blows), processes, Map.of(0, victim), 3);
    }

    @Test
    void policyDecidesWhatTheEndOfARankCosts() {
        Blow exit = blow(0, Kind.EXIT, 1, FaultKind.SIGKILL);

        assertThat(wave("soft", exit).hit()).containsExactly(processes.get(3));
        assertThat(wave("soft-no-replace", exit).hit()).containsExactlyElementsOf(processes.subList(2, 4));
        assertThat(wave("hard", exit).hit()).containsExactlyElementsOf(processes);
        assertThat(wave("soft", exit).events())
                .containsExactly(
                        new Expected("RANK_ENDED", "node1", "(process 11)"), new Expected("RESTART", "node1", ""));
        assertThat(wave("soft", exit).agents()).isEmpty();
    }

    @Test
    void faultThatARankSurvivesCostsNothing() {
        Wave wave = wave("hard", blow(0, Kind.FAULT, 1, FaultKind.EXCEPTION));

        assertThat(wave.hit()).isEmpty();
        assertThat(wave.events()).isEmpty();
        assertThat(wave.isHarmless()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"AGENT_USR1", "STARVATION", "STRANGERS"})
    void whatTheJobMustBearCostsNothing(Kind kind) {
        Wave wave = wave("hard", blow(1, kind, kind.isOfJob() ? -1 : 1, FaultKind.SIGKILL));

        assertThat(wave.isHarmless()).isTrue();
        assertThat(wave.hit()).isEmpty();
        assertThat(wave.agents()).isEmpty();
        assertThat(wave.events()).isEmpty();
    }

    @Test
    void agentThatStandsStillForLessThanItsLeaseCostsNothing() {
        Wave wave = wave("soft", blow(1, Kind.AGENT_PAUSE, 1, FaultKind.SIGKILL));

        assertThat(wave.isHarmless()).isTrue();
        assertThat(wave.agents()).isEmpty();
    }

    @Test
    void killedAgentCostsItsNodeAndIsNamedAsLost() {
        Wave wave = wave("soft", blow(1, Kind.AGENT_KILL, 2, FaultKind.SIGKILL));

        assertThat(wave.hit()).containsExactlyElementsOf(processes.subList(4, 6));
        assertThat(wave.agents()).containsExactly(2);
        assertThat(wave.exitCodes(2)).containsExactly(137);
        assertThat(wave.exitCodes(1)).as("must not exit").isEmpty();
        assertThat(wave.events())
                .containsExactly(
                        new Expected("NODE_LOST", "", "node node2 "),
                        new Expected("NODE_CAME", "node2", "node node2 "));
    }

    @Test
    void scaledJobLosesItsLastNode() {
        Wave wave = wave("soft", blow(1, Kind.SCALE, -1, FaultKind.SIGKILL));

        assertThat(wave.hit()).containsExactlyElementsOf(processes.subList(6, 8));
        assertThat(wave.agents()).containsExactly(3);
    }
}

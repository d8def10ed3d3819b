package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.HealthSettings;
import dev.resiliency.launcher.agent.AgentAction.Arrive;
import dev.resiliency.launcher.agent.AgentAction.Check;
import dev.resiliency.launcher.agent.AgentAction.MarkHealthy;
import dev.resiliency.launcher.agent.AgentAction.MarkUnhealthy;
import dev.resiliency.launcher.agent.AgentAction.Note;
import dev.resiliency.launcher.agent.AgentAction.TakeSeat;
import dev.resiliency.launcher.health.Finding;
import dev.resiliency.launcher.health.Finding.Severity;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeHealthTest {
    private static final List<Finding> WELL = List.of(new Finding(Severity.OK, "disk", "100 MiB are free"));
    private static final List<AgentAction> CHECK = List.of(new Check());

    private long now = Duration.ofDays(1).toNanos();

    private final NodeHealth health = new NodeHealth(
            HealthSettings.builder().unhealthyTimeout(Duration.ofSeconds(25)).build(), true, () -> now);

    private static List<Finding> bad(String text) {
        return List.of(new Finding(Severity.FAILURE, "disk", text));
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private void arrive() {
        assertThat(health.begin()).isEqualTo(CHECK);
        assertThat(health.checked(WELL)).containsExactly(new MarkHealthy(), new Arrive());
    }

    @Test
    void nodeWithoutChecksArrivesAtOnceAndIsNeverChecked() {
        NodeHealth without = new NodeHealth(HealthSettings.builder().build(), false, () -> now);

        assertThat(without.begin()).containsExactly(new Arrive());
        assertThat(without.awaitSeat(3)).containsExactly(new TakeSeat(3));
        assertThat(without.rankFailed()).isEmpty();
        assertThat(without.untilTick()).isEmpty();
    }

    @Test
    void unhealthyNodeWaitsAndArrivesWhenItIsHealthy() {
        health.begin();

        assertThat(health.checked(bad("3 MiB are free")))
                .containsExactly(
                        new Note(
                                "this node is unhealthy, so it does not take part: disk: 3 MiB are free. It is checked again every 10s, for at most 25s"),
                        new MarkUnhealthy("disk: 3 MiB are free"));
        assertThat(health.untilTick()).contains(Duration.ofSeconds(10));
        assertThat(health.tick()).isEmpty();
        pass(Duration.ofSeconds(10));
        assertThat(health.tick()).isEqualTo(CHECK);
        assertThat(health.checked(bad("4 MiB are free"))).isEmpty();
        pass(Duration.ofSeconds(10));
        assertThat(health.tick()).isEqualTo(CHECK);
        assertThat(health.checked(WELL))
                .containsExactly(new Note("this node is healthy again"), new MarkHealthy(), new Arrive());
        assertThat(health.untilTick()).contains(Duration.ofMinutes(5));
    }

    @Test
    void nodeThatStaysUnhealthyGivesUpAtItsLimit() {
        health.begin();
        health.checked(bad("full"));
        for (int checks = 0; checks < 2; checks++) {
            pass(Duration.ofSeconds(10));
            health.tick();
            assertThat(health.checked(bad("full"))).isEmpty();
        }
        assertThat(health.untilTick()).contains(Duration.ofSeconds(5));
        pass(Duration.ofSeconds(5));
        health.tick();

        assertThat(health.checked(bad("full"))).containsExactly(new MarkUnhealthy("disk: full"));
        assertThat(health.problem()).isEqualTo("this node has been unhealthy for 25s: disk: full");
        assertHasLeft();
    }

    @Test
    void nodeThatTurnsUnhealthyLeaves() {
        arrive();
        pass(Duration.ofMinutes(5));
        assertThat(health.tick()).isEqualTo(CHECK);

        assertThat(health.checked(bad("full"))).containsExactly(new MarkUnhealthy("disk: full"));
        assertThat(health.problem()).isEqualTo("this node is unhealthy: disk: full");
        assertHasLeft();
    }

    /** A node that has left is not checked, and no result changes that. */
    private void assertHasLeft() {
        assertThat(health.untilTick()).isEmpty();
        pass(Duration.ofMinutes(5));
        assertThat(health.rankFailed()).isEmpty();
        assertThat(health.checked(WELL)).isEmpty();
        assertThat(health.untilTick()).isEmpty();
    }

    @Test
    void seatOfTheNextCycleWaitsForTheCheck() {
        arrive();

        assertThat(health.awaitSeat(1)).isEqualTo(CHECK);
        assertThat(health.checked(WELL)).containsExactly(new TakeSeat(1));
        assertThat(health.awaitSeat(2)).isEqualTo(CHECK);
        assertThat(health.awaitSeat(3)).isEmpty();
        assertThat(health.checked(WELL)).containsExactly(new TakeSeat(3));
        assertThat(health.awaitSeat(4)).isEqualTo(CHECK);
        assertThat(health.checked(bad("full"))).containsExactly(new MarkUnhealthy("disk: full"));
    }

    @Test
    void failedRankIsAReasonToLookUnlessTheNodeWasJustChecked() {
        arrive();

        assertThat(health.rankFailed()).isEmpty();
        pass(Duration.ofSeconds(10));
        assertThat(health.rankFailed()).isEqualTo(CHECK);
        pass(Duration.ofSeconds(10));
        assertThat(health.rankFailed()).as("one runs").isEmpty();
        assertThat(health.checked(WELL)).isEmpty();
    }

    @Test
    void warningIsNoFailureAndIsSaidOnceUntilItIsGone() {
        List<Finding> warning = List.of(new Finding(Severity.WARNING, "service", "is late"));
        health.begin();

        assertThat(health.checked(warning))
                .containsExactly(new Note("service: is late"), new MarkHealthy(), new Arrive());
        assertThat(health.checked(warning)).isEmpty();
        assertThat(health.checked(WELL)).isEmpty();
        assertThat(health.checked(warning)).containsExactly(new Note("service: is late"));
    }

    @Test
    void resultThatComesAfterTheEndHasNoEffect() {
        health.begin();
        health.leave();

        assertThat(health.checked(WELL)).isEmpty();
        assertThat(health.untilTick()).isEmpty();
    }

    @Test
    void problemIsOnlyWhatHasFailedAndIsSaidAgainOnlyIfSomethingElseFails() {
        Finding full = new Finding(Severity.FAILURE, "disk", "full");
        Finding late = new Finding(Severity.WARNING, "service", "is late");
        health.begin();

        assertThat(health.checked(List.of(WELL.get(0), late, full))).contains(new MarkUnhealthy("disk: full"));
        assertThat(health.checked(List.of(full))).isEmpty();
        assertThat(health.checked(List.of(full, new Finding(Severity.FAILURE, "memory", "is full"))))
                .contains(new MarkUnhealthy("disk: full; memory: is full"));
    }
}

package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.HealthSettings;
import dev.resiliency.launcher.agent.AgentAction.AskWrapped;
import dev.resiliency.launcher.agent.AgentAction.Dump;
import dev.resiliency.launcher.agent.AgentAction.EndJob;
import dev.resiliency.launcher.agent.AgentAction.Kill;
import dev.resiliency.launcher.agent.AgentAction.Leave;
import dev.resiliency.launcher.agent.AgentAction.Report;
import dev.resiliency.launcher.agent.AgentAction.Signal;
import dev.resiliency.launcher.agent.AgentEvent.Asked;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Overdue;
import dev.resiliency.launcher.agent.AgentEvent.Seated;
import dev.resiliency.launcher.agent.AgentEvent.ShowsNothing;
import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import dev.resiliency.launcher.agent.AgentEvent.Tick;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.rendezvous.JobEvent.Kind;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of a rank that hangs, or asks for something: ranks 2 and 3 of a job, on one node. */
class AgentOverdueTest {
    private long now = 42;

    private Agent running(String signal) {
        Agent agent = new Agent(
                SettingsFixture.soft(2, 0, signal, 0),
                new NodeHealth(HealthSettings.builder().build(), false, () -> now),
                () -> now);
        on(agent, new Seated(new Seat(0, 1, 2, 2)));
        on(agent, new Started(0, 100));
        on(agent, new Started(1, 101));
        now += Duration.ofMinutes(5).toNanos();
        return agent;
    }

    private static List<AgentAction> on(Agent agent, AgentEvent event) {
        return agent.on(event).actions();
    }

    private List<AgentAction> tickWhenDue(Agent agent) {
        now += agent.untilTick().orElseThrow().toNanos();
        return on(agent, new Tick());
    }

    @Test
    void hungRankShowsItsThreadsIsKilledAndRunsAgain() {
        Agent agent = running("KILL");

        assertThat(on(agent, new Overdue(1, "section 's' has been open for 2.0 s")))
                .containsExactly(
                        new Report(
                                Kind.RANK_OVERDUE, "rank 3 (process 101) hangs: section 's' has been open for 2.0 s"),
                        new Dump(
                                1,
                                "rank 3 (process 101) hangs: section 's' has been open for 2.0 s; it shows its threads, and is ended"));
        assertThat(agent.untilTick()).contains(RankSlots.DUMP_TIME);
        assertThat(tickWhenDue(agent)).containsExactly(new Kill(1, ""));

        List<AgentAction> ended = on(agent, new Ended(1, ExitReason.of(137), now));
        assertThat(ended).hasSize(3).last().isInstanceOf(AskWrapped.class);
        assertThat(ended.get(1).reason())
                .startsWith("rank 3 (process 101) was ended by SIGKILL after 5m2s, as it hung: section 's' has been");
    }

    @Test
    void hungRankThatIsNoJvmIsEndedAtOnce() {
        Agent agent = running("KILL");
        on(agent, new Overdue(1, "late"));

        assertThat(on(agent, new ShowsNothing(1))).containsExactly(new Kill(1, ""));
        assertThat(on(agent, new ShowsNothing(1))).isEmpty();
        assertThat(on(agent, new ShowsNothing(0))).as("it does not hang").isEmpty();
    }

    @Test
    void hungRankThatEndsPeacefullyAfterItsSignalHasFailedNevertheless() {
        Agent agent = running("TERM");
        on(agent, new Overdue(1, "late"));

        assertThat(tickWhenDue(agent))
                .singleElement()
                .isInstanceOfSatisfying(
                        Signal.class, signal -> assertThat(signal.name()).isEqualTo("TERM"));
        assertThat(on(agent, new Ended(1, ExitReason.of(0), now))).anyMatch(AskWrapped.class::isInstance);
    }

    @Test
    void hungRankThatIgnoresItsSignalIsKilledAfterTheGrace() {
        Agent agent = running("TERM");
        on(agent, new Overdue(1, "late"));
        tickWhenDue(agent);

        assertThat(agent.untilTick()).contains(Duration.ofSeconds(30));
        assertThat(tickWhenDue(agent)).singleElement().isInstanceOf(Kill.class);
    }

    @Test
    void rankThatHangsWhileAllAreToEndIsEndedWithThem() {
        Agent agent = running("KILL");
        on(agent, new Overdue(1, "late"));

        assertThat(on(agent, new StopAsked("TERM")))
                .filteredOn(Signal.class::isInstance)
                .hasSize(2);
        assertThat(on(agent, new Overdue(0, "late"))).isEmpty();
    }

    @Test
    void nodeThatIsExcludedEndsItsRanksAndLeavesForAnotherHost() {
        Agent agent = running("KILL");

        assertThat(on(agent, new Asked(0, WorkloadAction.EXCLUDE_THIS_NODE, "ECC errors")))
                .contains(new Report(Kind.WORKLOAD_CONTROL, "rank 2 asks to exclude this node: ECC errors"))
                .noneMatch(EndJob.class::isInstance)
                .filteredOn(Signal.class::isInstance)
                .hasSize(2);
        on(agent, new Ended(0, ExitReason.of(143), now));
        assertThat(on(agent, new Ended(1, ExitReason.of(143), now))).anyMatch(Leave.class::isInstance);
    }

    @Test
    void jobThatIsShutDownEndsForAllNodes() {
        assertThat(on(running("KILL"), new Asked(0, WorkloadAction.SHUTDOWN_WORKLOAD, "NaN")))
                .contains(new EndJob(ExitCode.DO_NOT_RESTART, "rank 2 asks to end the job: NaN"));
    }

    @Test
    void requestThatIsTakenBackChangesNothing() {
        Agent agent = running("KILL");

        assertThat(on(agent, new Asked(0, WorkloadAction.CONTINUE, ""))).noneMatch(Signal.class::isInstance);
        assertThat(agent.untilTick()).isEmpty();
    }
}

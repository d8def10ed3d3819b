package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.HealthSettings;
import dev.resiliency.launcher.MonitorSettings;
import dev.resiliency.launcher.RestartBudget;
import dev.resiliency.launcher.RestartPolicy;
import dev.resiliency.launcher.agent.AgentAction.Exit;
import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import dev.resiliency.launcher.health.HealthWatch;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.process.ProcessTools;
import dev.resiliency.launcher.process.RunDirectory;
import dev.resiliency.launcher.rendezvous.JobBudget;
import dev.resiliency.launcher.rendezvous.Master;
import dev.resiliency.launcher.rendezvous.Node;
import dev.resiliency.launcher.rendezvous.NodeSession;
import dev.resiliency.launcher.rendezvous.NodeSettings;
import dev.resiliency.launcher.rendezvous.Terms;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole agent of a job of one node with two ranks: the store is in memory, the ranks run a script of the shell. */
@Timeout(120)
class AgentLoopTest {
    private static final LauncherLog LOG = LauncherLog.ofAgent("test");
    private static final Duration LONG = Duration.ofMinutes(1);

    private final InMemoryStore store = InMemoryStore.create();
    private final AgentInbox inbox = new AgentInbox();
    private final List<String> stages = new ArrayList<>();

    /** Runs the agent until its end; {@link #stages} are those that it has gone to. */
    private Exit run(String script, Observer observer) throws InterruptedException {
        NodeSettings node = new NodeSettings(
                "job",
                new Terms(1, 2, "soft", 0, true),
                1,
                "node",
                "127.0.0.1",
                Node.NO_RANK,
                "",
                LONG,
                Duration.ZERO,
                LONG,
                true);
        NodeSession session = new NodeSession(store.newSession(), node, inbox, new SessionEvents(inbox::add, LOG));
        AgentSettings settings = new AgentSettings(
                SettingsFixture.config(2, 0, RestartPolicy.SOFT, "KILL", 0)
                        .budget(RestartBudget.of(2))
                        .startup(Duration.ofSeconds(10), 0)
                        .build(),
                failures -> Duration.ZERO,
                false);
        NodeHealth health = new NodeHealth(HealthSettings.builder().build(), false, System::nanoTime);
        try (NodeStamps monitor = NodeStamps.open(MonitorSettings.DEFAULT, RunDirectory.none(), "job", "node", LOG);
                JobLink link = new JobLink("job", store::newSession);
                HealthWatch checks = new HealthWatch(List.of());
                RankProcesses processes = new RankProcesses(
                        new RankCommand(List.of("/bin/sh", "-c", script), 2, null),
                        ProcessTools.find(System.getenv("PATH")),
                        RunDirectory.none(),
                        null,
                        monitor,
                        LOG)) {
            processes.moveTo(inbox, new RankVariables("job", new StoreAddress("127.0.0.1", 29400, ""), 2));
            try (NodeEffects effects = new NodeEffects(
                    inbox,
                    session,
                    processes,
                    monitor,
                    link,
                    checks,
                    new JobBudget(2, LONG),
                    listener -> {
                        throw new AssertionError("no memory is waited for");
                    },
                    () -> new Master("127.0.0.1", 29500),
                    true)) {
                Observer stageObserver = step -> {
                    if (!step.after().stage().equals(step.before().stage())) {
                        stages.add(step.after().stage());
                    }
                };
                Agent agent = new Agent(settings, health, System::nanoTime);
                return new AgentLoop(agent, inbox, effects, List.of(new LogObserver(LOG), stageObserver, observer))
                        .run();
            }
        }
    }

    @Test
    void nodeWhoseRanksCompleteHasGoneThroughItsStages() throws Exception {
        Exit exit = run("exit 0", step -> {});

        assertThat(exit).isEqualTo(new Exit(0, "all ranks of this node have completed"));
        assertThat(stages).containsExactly("Running", "Completed", "Leaving");
    }

    @Test
    void rankThatFailsAtStartUpIsStartedAgainUntilTheBudgetIsSpent() throws Exception {
        Exit exit = run("[ $LOCAL_RANK = 0 ] && exit 1; exec sleep 1000", step -> {});

        assertThat(exit).isEqualTo(new Exit(93, "not started again, as the restarts of the job are spent (2)"));
        assertThat(stages).containsExactly("Running", "Ending", "Leaving");
    }

    @Test
    void signalThatComesFromAnotherThreadEndsTheRanks() throws Exception {
        Exit exit = run("exec sleep 1000", step -> {
            if (step.event() instanceof Started started && started.process() == 1) {
                inbox.later(new StopAsked("TERM")); // which no parent can have told the ranks to ignore
            }
        });

        assertThat(exit.code()).isEqualTo(143);
    }

    @Test
    void defectEndsTheAgentWithItsTraceAndTheProcesses() throws Exception {
        Exit exit = run("exec sleep 1000", step -> {
            if (step.event() instanceof Started) {
                throw new IllegalArgumentException("a defect");
            }
        });

        assertThat(exit.code()).isOne();
        assertThat(exit.why())
                .startsWith("this agent has failed, by a defect of its own: ")
                .contains("a defect", "AgentLoopTest");
    }
}

package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.launcher.MonitorSettings;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.process.ExitReason.NotStarted;
import dev.resiliency.launcher.process.ProcessTools;
import dev.resiliency.launcher.process.RunDirectory;
import dev.resiliency.launcher.rendezvous.Master;
import dev.resiliency.launcher.rendezvous.Seat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of the second of two nodes, which has two ranks. Each runs a script of the shell. */
class RankProcessesTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final LauncherLog LOG = LauncherLog.ofAgent("test");

    @TempDir
    private Path directory;

    private final AgentInbox inbox = new AgentInbox();
    private final NodeStamps monitor =
            NodeStamps.open(MonitorSettings.DEFAULT, RunDirectory.none(), "job", "node", LOG);
    private final List<RankProcesses> opened = new ArrayList<>();

    @AfterEach
    void end() {
        opened.forEach(RankProcesses::killAll);
        monitor.close();
    }

    private RankProcesses running(String... command) throws InterruptedException {
        RankProcesses processes = new RankProcesses(
                new RankCommand(List.of(command), 2, null),
                new RankVariables("job", "127.0.0.1", 29400, 10),
                ProcessTools.find(System.getenv("PATH")),
                RunDirectory.none(),
                null,
                monitor,
                inbox,
                LOG);
        opened.add(processes);
        return processes;
    }

    private RankProcesses seated(String script) throws InterruptedException {
        RankProcesses processes = running("/bin/sh", "-c", script);
        processes.setMaster(new Master("127.0.0.1", 29500));
        processes.sit(new Seat(0, 1, 2, 2));
        return processes;
    }

    private Ended ended() throws InterruptedException {
        assertThat(inbox.runTask(LIMIT)).isTrue();
        return (Ended) Objects.requireNonNull(inbox.poll());
    }

    @Test
    void processHasTheRankOfItsSeatAndItsStartAndEndAreEvents() throws Exception {
        Path out = directory.resolve("out");
        RankProcesses processes = seated("echo $RANK $WORLD_SIZE $TORCHELASTIC_RESTART_COUNT > '" + out + "'; exit 3");

        processes.start(1, 5, OptionalInt.empty(), "");

        assertThat(inbox.poll())
                .isInstanceOfSatisfying(
                        Started.class, started -> assertThat(started.process()).isOne());
        assertThat(ended())
                .returns(1, Ended::process)
                .returns(3, ended -> ended.reason().code());
        assertThat(Files.readString(out)).isEqualTo("3 4 5\n");
    }

    @Test
    void commandThatIsNotThereIsAnEndAndNoStart() throws Exception {
        RankProcesses processes = running("/no/such/command");
        processes.setMaster(new Master("127.0.0.1", 29500));
        processes.sit(new Seat(0, 0, 1, 2));

        processes.start(0, 0, OptionalInt.empty(), "");

        assertThat(inbox.poll()).isNull();
        assertThat(ended().reason())
                .isInstanceOfSatisfying(
                        NotStarted.class, reason -> assertThat(reason.code()).isEqualTo(127));
    }

    @Test
    void nodeWithoutASeatStartsNothing() throws Exception {
        RankProcesses processes = running("/bin/sh", "-c", "exit 0");

        assertThatThrownBy(() -> processes.start(0, 0, OptionalInt.empty(), ""))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void signalEndsAProcessAndAKillAnother() throws Exception {
        RankProcesses processes = seated("exec sleep 1000");
        processes.start(0, 0, OptionalInt.empty(), "");
        processes.signal(0, "TERM");
        assertThat(inbox.poll()).isInstanceOf(Started.class);
        assertThat(ended().reason().code()).isEqualTo(143);

        processes.start(1, 0, OptionalInt.empty(), "");
        processes.kill(1);
        assertThat(inbox.poll()).isInstanceOf(Started.class);
        assertThat(ended().reason().code()).isEqualTo(137);
    }

    @Test
    void processThatIsNoJvmShowsNothingAndLivesOn() throws Exception {
        RankProcesses processes = seated("exec sleep 1000");
        processes.start(0, 0, OptionalInt.empty(), "");

        assertThat(processes.dump(0)).isFalse();
        assertThat(processes.dump(1)).as("it does not run").isFalse();
        assertThat(processes.isSuspended(0)).isFalse();
        processes.killAll();
        assertThat(inbox.poll()).isInstanceOf(Started.class);
        assertThat(ended().reason().code()).isEqualTo(137);
    }
}

package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.MonitorSettings;
import dev.resiliency.launcher.agent.AgentEvent.EndAdvised;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.log.RankOutput;
import dev.resiliency.launcher.process.ExitReason.NotStarted;
import dev.resiliency.launcher.process.ProcessTools;
import dev.resiliency.launcher.process.RunDirectory;
import dev.resiliency.launcher.rendezvous.Master;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.StampWriter;
import dev.resiliency.store.spi.StoreAddress;
import java.io.ByteArrayOutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
        opened.forEach(RankProcesses::close);
        monitor.close();
    }

    private RankProcesses running(String... command) throws InterruptedException {
        return running(null, command);
    }

    private RankProcesses running(@Nullable RankOutput output, String... command) throws InterruptedException {
        RankProcesses processes = new RankProcesses(
                new RankCommand(List.of(command), 2, null),
                ProcessTools.find(System.getenv("PATH")),
                RunDirectory.none(),
                output,
                monitor,
                LOG);
        processes.moveTo(inbox, new RankVariables("job", new StoreAddress("127.0.0.1", 29400, ""), 10));
        opened.add(processes);
        return processes;
    }

    private RankProcesses seated(String script) throws InterruptedException {
        return seated(null, script);
    }

    private RankProcesses seated(@Nullable RankOutput output, String script) throws InterruptedException {
        RankProcesses processes = running(output, "/bin/sh", "-c", script);
        processes.setMaster(new Master("127.0.0.1", 29500));
        processes.sit(new Seat(0, 1, 2, 2));
        return processes;
    }

    private Ended ended() throws InterruptedException {
        return ended(inbox);
    }

    private static Ended ended(AgentInbox inbox) throws InterruptedException {
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

    /** Before its end: the agent must not start it again first. */
    @Test
    void jvmThatRefusesAnOptionAdvisesTheEndOfTheJob() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (RankOutput output = new RankOutput(
                Channels.newChannel(printed), Channels.newChannel(printed), true, null, complaint -> {})) {
            RankProcesses processes = seated(
                    output,
                    "echo \"Unrecognized VM option 'NoSuchOption'\" >&2;"
                            + " echo 'Error: Could not create the Java Virtual Machine.' >&2; exit 1");

            processes.start(1, 0, OptionalInt.empty(), "");

            assertThat(inbox.poll()).isInstanceOf(Started.class);
            assertThat(inbox.runTask(LIMIT)).isTrue();
            assertThat(inbox.poll())
                    .isEqualTo(new EndAdvised(
                            "rank 3 cannot run, whenever it starts: Unrecognized VM option 'NoSuchOption'"));
            assertThat(inbox.poll()).isInstanceOf(Ended.class);
        }
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
        processes.close();
        assertThat(inbox.poll()).isInstanceOf(Started.class);
        assertThat(ended().reason().code()).isEqualTo(137);
    }

    /** Starts two processes, of which the first is a member of its job, and lets the agent go to another store; returns their ids. */
    private List<Long> letGo(RankProcesses processes, Path file) throws Exception {
        monitor.moveTo(new StoreAddress("127.0.0.1", 29400, ""));
        List<Long> pids = new ArrayList<>();
        for (int number = 0; number < 2; number++) {
            processes.start(number, 0, OptionalInt.empty(), "");
            pids.add(((Started) Objects.requireNonNull(inbox.poll())).pid());
        }
        await().until(() -> Files.exists(file));
        StampWriter.of(Path.of(Files.readString(file).strip())).take(JobPart.MEMBER);
        assertThat(processes.letGo(Set.of(0, 1))).containsExactly(0);
        return pids;
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private RankProcesses followed(Path file) throws InterruptedException {
        return seated(
                "[ $LOCAL_RANK = 0 ] && echo $RESILIENCY_MONITOR_FILE > '%1$s.new' && mv '%1$s.new' '%1$s'; exec sleep 1000"
                        .formatted(file));
    }

    private AgentInbox move(RankProcesses processes, Seat seat) {
        AgentInbox there = new AgentInbox();
        processes.moveTo(there, new RankVariables("job", new StoreAddress("127.0.0.2", 29401, ""), 10));
        monitor.moveTo(new StoreAddress("127.0.0.2", 29401, ""));
        processes.setMaster(new Master("127.0.0.1", 29500));
        processes.sit(seat);
        return there;
    }

    /** Waits for the end of a process that the agent does not have any more, of which it learns nothing. */
    private static void awaitUntold(AgentInbox inbox) throws InterruptedException {
        assertThat(inbox.runTask(LIMIT)).isTrue();
        assertThat(inbox.poll()).isNull();
    }

    @Test
    void memberOfAJobGoesOnWithTheNextStoreAndLearnsWhereItIs() throws Exception {
        Path file = directory.resolve("file");
        RankProcesses processes = followed(file);
        List<Long> pids = letGo(processes, file);
        assertThat(isAlive(pids.get(0))).isTrue();

        AgentInbox there = move(processes, new Seat(1, 1, 2, 2));
        awaitUntold(there);
        assertThat(isAlive(pids.get(1))).as("the other").isFalse();
        processes.start(0, 1, OptionalInt.empty(), "");
        processes.start(1, 1, OptionalInt.empty(), "");

        assertThat(there.poll())
                .isInstanceOfSatisfying(
                        Started.class, next -> assertThat(next.process()).isOne());
        assertThat(there.poll()).isEqualTo(new Started(0, pids.get(0)));
        assertThat(Path.of(Files.readString(file).strip() + ".store")).hasContent("127.0.0.2:29401\n127.0.0.1:29400\n");
        processes.kill(0);
        assertThat(ended(there).process()).isZero();
        assertThat(inbox.runTask(Duration.ZERO))
                .as("something for the agent before")
                .isFalse();
    }

    @Test
    void memberWhoseRankIsAnotherOneNowStartsAnew() throws Exception {
        Path file = directory.resolve("file");
        RankProcesses processes = followed(file);
        List<Long> pids = letGo(processes, file);

        AgentInbox there = move(processes, new Seat(1, 0, 2, 2));
        awaitUntold(there);
        processes.start(0, 1, OptionalInt.empty(), "");

        assertThat(there.poll())
                .isInstanceOfSatisfying(
                        Started.class, next -> assertThat(next.pid()).isNotEqualTo(pids.get(0)));
        awaitUntold(there);
        assertThat(isAlive(pids.get(0))).isFalse();
        processes.kill(0);
        assertThat(ended(there).process()).isZero();
    }
}

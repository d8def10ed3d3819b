package dev.resiliency.inprocess.internal.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import dev.resiliency.inprocess.MonitorProcessException;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.watch.HeartbeatFile;
import dev.resiliency.inprocess.spi.RankMonitors;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** An agent's watch and a real store; the rank that it watches is a process that does nothing. */
class MonitorServerIT {
    private static final Duration NEVER = Duration.ofMinutes(5);

    @TempDir
    private Path directory;

    private final TcpStoreServer server = TcpStoreServer.builder().start();
    private final SessionStore store;
    private final Identity identity;
    private final Process rank = new ProcessBuilder("sleep", "600").start();
    private final HeartbeatFile heartbeats = HeartbeatFile.create(HeartbeatFile.newPath(0));
    private RankMonitors monitors;

    MonitorServerIT() throws IOException, InterruptedException {
        store = TcpStore.builder().port(server.port()).connect();
        identity = MonitorProcessIT.enroll(store, server.port());
        heartbeats.stamp(HeartbeatFile.NONE, HeartbeatFile.NONE, System.nanoTime(), HeartbeatFile.NEVER);
    }

    @BeforeEach
    void open() throws IOException {
        monitors = RankMonitors.open(stamps());
    }

    private Path stamps() {
        return directory.resolve("stamps");
    }

    @AfterEach
    void end() throws InterruptedException {
        monitors.close();
        rank.destroyForcibly().waitFor();
        heartbeats.close();
        store.close();
        server.close();
    }

    private MonitorProcess connect() {
        return MonitorProcess.start(0, heartbeats.path(), AgentPipe.of(stamps()).orElseThrow());
    }

    private MonitorProcess watch(Duration hardTimeout) throws InterruptedException {
        MonitorProcess monitor = connect();
        monitor.watch(options(hardTimeout));
        monitor.awaitReady();
        return monitor;
    }

    private MonitorOptions options(Duration hardTimeout) {
        return new MonitorOptions(
                identity,
                rank.pid(),
                ProcessStart.of(rank.pid()),
                heartbeats.path(),
                store.address(),
                StoreAccess.of(store),
                "call-0",
                store.renewal(),
                Duration.ofMillis(50),
                Duration.ofMillis(100),
                Duration.ofSeconds(30),
                hardTimeout,
                hardTimeout,
                Duration.ofMillis(100),
                directory.resolve("monitor.log"),
                null);
    }

    private IndexSet terminated() throws InterruptedException {
        return store.members("call-0/0/terminated");
    }

    @Test
    void rankThatHangsIsToldWhyThenEndedAndReported() throws Exception {
        heartbeats.enter(3, System.nanoTime());
        CompletableFuture<String> ending = new CompletableFuture<>();
        try (MonitorProcess monitor = watch(Duration.ofMillis(200))) {
            monitor.onEnding(ending::complete);

            assertThat(rank.waitFor()).isNotZero();

            assertThat(ending.get()).startsWith("no progress for 200 ms (hardTimeout), since ");
            assertThat(terminated()).isEqualTo(IndexSet.of(0));
        }
    }

    @Test
    void rankThatSaysGoodbyeIsNotReported() throws Exception {
        watch(NEVER).close();
        monitors.close();

        assertThat(terminated().isEmpty()).isTrue();
        assertThat(directory.resolve("monitor.log")).content().contains("watches process", "ends");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void watchThatHasEndedHoldsNoFileOfItsRank() throws Exception {
        MonitorProcess monitor = watch(NEVER);
        assertThat(openHeartbeatFiles())
                .as("that of this rank, and that of its agent")
                .isEqualTo(2);

        monitor.close();
        monitors.close();

        assertThat(openHeartbeatFiles()).isOne();
    }

    private long openHeartbeatFiles() throws IOException {
        String name = String.valueOf(heartbeats.path().getFileName());
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(each -> target(each).contains(name)).count();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) { // as that of the directory is
            return "";
        }
    }

    @Test
    void rankWhoseCallerIsInterruptedSaysGoodbyeAllTheSame() throws Exception {
        MonitorProcess monitor = watch(NEVER);

        Thread.currentThread().interrupt();
        monitor.close();

        assertThat(Thread.interrupted()).isTrue();
        monitors.close();
        assertThat(terminated().isEmpty()).isTrue();
    }

    @Test
    void deathOfARankIsReported() throws Exception {
        watch(NEVER).abandon();
        monitors.close();

        assertThat(terminated()).isEqualTo(IndexSet.of(0));
    }

    @Test
    void rankThatLeavesBeforeItIsWatchedIsNotReportedAndLeavesNoFile() throws Exception {
        MonitorProcess notWatchedYet = connect();
        notWatchedYet.watch(options(NEVER));
        notWatchedYet.close();
        awaitThatHeartbeatFileIsDeleted();
        monitors.close();

        assertThat(terminated().isEmpty()).isTrue();
    }

    @Test
    void heartbeatFileOfARankThatEndsBeforeItHasAStoreIsDeleted() throws Exception {
        connect().close();

        awaitThatHeartbeatFileIsDeleted();
    }

    /** On a busy machine, the agent may not even have taken the connection when the rank has ended it. */
    private void awaitThatHeartbeatFileIsDeleted() {
        await().untilAsserted(() -> assertThat(heartbeats.path()).doesNotExist());
    }

    @Test
    void rankLearnsThatItsAgentWatchesItNoLonger() throws Exception {
        CompletableFuture<MonitorProcessException> lost = new CompletableFuture<>();
        MonitorProcess monitor = watch(NEVER);
        monitor.onLost(lost::complete);

        monitors.close();

        assertThat(lost.get())
                .hasMessage("the agent of this node no longer watches this rank; without it nothing would end this rank"
                        + " if it hung, so the rank leaves");
        monitor.close();
        assertThat(terminated().isEmpty()).isTrue();
    }

    @Test
    void rankThatCannotBeWatchedLearnsWhyAndTheOthersAreWatched() throws Exception {
        Files.delete(heartbeats.path());
        try (MonitorProcess monitor = connect()) {
            monitor.watch(options(NEVER));

            assertThatExceptionOfType(MonitorProcessException.class)
                    .isThrownBy(monitor::awaitReady)
                    .withMessageContaining("the agent of this node no longer watches this rank: ")
                    .withMessageContaining("NoSuchFileException: " + heartbeats.path());
        }
        assertThat(AgentPipe.of(stamps())).isPresent();
    }

    @Test
    void closedServerLeavesNoSocketAndNoThread() throws Exception {
        monitors.close();

        assertThat(directory).isEmptyDirectory();
        assertThat(AgentPipe.of(stamps())).isEmpty();
    }

    @Test
    void socketOfAProcessThatWasKilledIsReplaced() throws Exception {
        monitors.close();
        Path left = Files.createFile(MonitorServer.socketOf(stamps()));

        RankMonitors.deleteLeft(stamps());

        assertThat(left).doesNotExist();
        monitors = RankMonitors.open(stamps());
        assertThat(AgentPipe.of(stamps())).isPresent();
    }

    @Test
    void socketIsNotWhereOthersMayPutOneToo() throws Exception {
        Path open = Files.createDirectories(directory.resolve("open/stamps"));
        Files.setPosixFilePermissions(open.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatIOException()
                .isThrownBy(() -> RankMonitors.open(open))
                .withMessageContaining("nobody else may write");
        assertThat(AgentPipe.of(open)).isEmpty();
    }

    @Test
    void rankThatDoesNotSeeTheDirectoryOfItsAgentDoesNotCreateIt() {
        Path unseen = directory.resolve("unseen");

        assertThat(AgentPipe.of(unseen.resolve("stamps"))).isEmpty();
        assertThat(unseen).doesNotExist();
    }

    @Test
    void pathThatIsTooLongForASocketIsAnIOException() throws Exception {
        Path deep = Files.createDirectories(directory.resolve("d".repeat(100) + "/stamps"));
        Files.setPosixFilePermissions(deep.getParent(), PosixFilePermissions.fromString("rwx------"));

        assertThatIOException().isThrownBy(() -> RankMonitors.open(deep)).withMessageContaining("too long");
    }
}

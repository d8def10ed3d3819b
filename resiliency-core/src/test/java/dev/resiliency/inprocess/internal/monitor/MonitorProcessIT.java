package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.resiliency.inprocess.MonitorProcessException;
import dev.resiliency.inprocess.internal.protocol.Enrollment;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.watch.HeartbeatFile;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A real monitor process and a real store; the rank that it watches is a process that does nothing. */
class MonitorProcessIT {
    private static final Duration GRACE = Duration.ofMillis(100);

    private final TcpStoreServer server = TcpStoreServer.builder().start();
    private final SessionStore store;
    private final Identity identity;
    private final Process rank = new ProcessBuilder("sleep", "600").start();
    private final HeartbeatFile heartbeats = HeartbeatFile.create(HeartbeatFile.newPath(0));
    /** The monitor process that was started last; until then, this one. */
    private ProcessHandle child = ProcessHandle.current();

    MonitorProcessIT() throws IOException, InterruptedException {
        store = TcpStore.builder().port(server.port()).connect();
        identity = enroll(store, server.port());
        heartbeats.stamp(HeartbeatFile.NONE, HeartbeatFile.NONE, System.nanoTime(), HeartbeatFile.NEVER);
    }

    /** Lets rank 0 of 2 come to its job. */
    static Identity enroll(SessionStore store, int port) {
        return new Enrollment(
                        new PrefixStore("call-0", store),
                        0,
                        2,
                        "127.0.0.1",
                        port,
                        Duration.ofSeconds(20),
                        true,
                        OptionalInt.empty())
                .enroll()
                .join()
                .orElseThrow();
    }

    @AfterEach
    void end() throws InterruptedException {
        rank.destroyForcibly().waitFor();
        heartbeats.close();
        store.close();
        server.close();
    }

    private MonitorOptions options(Path heartbeatFile, Duration hardTimeout) {
        return options(heartbeatFile, hardTimeout, hardTimeout);
    }

    private MonitorOptions options(Path heartbeatFile, Duration softTimeout, Duration hardTimeout) {
        return options(heartbeatFile, softTimeout, hardTimeout, GRACE, null, null);
    }

    private MonitorOptions options(
            Path heartbeatFile,
            Duration softTimeout,
            Duration hardTimeout,
            Duration grace,
            @Nullable Path logFile,
            @Nullable Path pidFile) {
        return new MonitorOptions(
                identity,
                rank.pid(),
                ProcessStart.of(rank.pid()),
                heartbeatFile,
                store.address(),
                null,
                "call-0",
                store.renewal(),
                Duration.ofMillis(50),
                Duration.ofMillis(100),
                Duration.ofSeconds(30),
                softTimeout,
                hardTimeout,
                grace,
                logFile,
                pidFile);
    }

    private MonitorProcess start() {
        return start(options(heartbeats.path(), Duration.ofMinutes(5)));
    }

    private MonitorProcess start(MonitorOptions options) {
        MonitorProcess monitor = startChild();
        monitor.watch(options);
        return monitor;
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
    }

    private MonitorProcess startChild() {
        try {
            ChildPipe pipe = ChildPipe.start();
            child = ProcessHandle.of(pipe.pid()).orElseThrow();
            return MonitorProcess.start(0, heartbeats.path(), pipe);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void closingLeavesNoChildAndAffectsNoOtherProcess() throws Exception {
        CompletableFuture<MonitorProcessException> lost = new CompletableFuture<>();
        MonitorProcess monitor = start();
        monitor.awaitReady();
        monitor.onLost(lost::complete);

        monitor.close();

        assertThat(child.isAlive()).isFalse();
        assertThat(lost).isNotDone();
        assertThat(rank.isAlive()).isTrue();
        assertThat(store.members("call-0/0/terminated").isEmpty()).isTrue();
    }

    @Test
    void monitorProcessThatHasNothingToWatchYetEndsAtOnce() throws Exception {
        CompletableFuture<MonitorProcessException> lost = new CompletableFuture<>();
        MonitorProcess monitor = startChild();
        monitor.onLost(lost::complete);

        monitor.close();
        monitor.close();

        assertThat(child.isAlive()).isFalse();
        assertThat(lost).isNotDone();
    }

    @Test
    void monitorProcessThatIsStillStartingEndsAtOnceAndLeavesNoPidFile(@TempDir Path directory) throws Exception {
        Path pidFile = directory.resolve("monitor.pid");
        MonitorProcess monitor = startChild();
        signal("STOP", child.pid());
        Files.writeString(pidFile, "of a child that was stopped before it watched");

        monitor.watch(options(heartbeats.path(), Duration.ofMinutes(5), Duration.ofMinutes(5), GRACE, null, pidFile));
        monitor.close();

        assertThat(child.isAlive()).isFalse();
        assertThat(pidFile).doesNotExist();
    }

    @Test
    void directoriesOfTheLogAndThePidFileAreCreated(@TempDir Path directory) throws Exception {
        Path log = directory.resolve("logs").resolve("today").resolve("monitor.log");
        Path pidFile = directory.resolve("pids").resolve("monitor.pid");
        Duration never = Duration.ofMinutes(5);

        try (MonitorProcess monitor = start(options(heartbeats.path(), never, never, GRACE, log, pidFile))) {
            monitor.awaitReady();

            assertThat(pidFile).hasContent(Long.toString(child.pid()));
        }

        assertThat(log).content().contains("[monitor of rank 0/2] watches process " + rank.pid());
        assertThat(pidFile).doesNotExist();
    }

    @Test
    void deathOfTheMonitorProcessIsReportedWithItsId() throws Exception {
        CompletableFuture<MonitorProcessException> lost = new CompletableFuture<>();
        try (MonitorProcess monitor = start()) {
            monitor.awaitReady();

            monitor.onLost(lost::complete);

            child.destroyForcibly();

            assertThat(lost.get()).hasMessageStartingWith("the monitor process " + child.pid() + " ended; without it");
        }
    }

    @Test
    void rankThatHangsIsEndedAndReported() throws Exception {
        store.set("call-0/0/3/decision", "of an iteration that is not over");
        heartbeats.enter(3, System.nanoTime());
        CompletableFuture<String> ending = new CompletableFuture<>();
        try (MonitorProcess monitor = start(options(heartbeats.path(), Duration.ofMillis(200)))) {
            monitor.onEnding(ending::complete);
            monitor.awaitReady();

            assertThat(rank.waitFor()).isNotZero();
            assertThat(ending.get())
                    .matches("no progress for 200 ms \\(hardTimeout\\), since [0-9:]+; process " + rank.pid()
                            + " is terminated");

            assertThat(store.get("call-0/0/3/records").text())
                    .contains("HARD_TIMEOUT")
                    .contains("no progress for 200 ms");
            assertThat(store.get("call-0/0/3/outcome").text()).isEqualTo("INTERRUPTED");
            assertThat(store.members("call-0/0/terminated")).isEqualTo(IndexSet.of(0));
        }
    }

    @Test
    void rankThatIsSuspendedIsNotEndedBeforeItHasSaidWhy() throws Exception {
        signal("STOP", rank.pid());
        heartbeats.enter(3, System.nanoTime());
        CompletableFuture<Boolean> hasEnded = new CompletableFuture<>();
        Duration limit = Duration.ofMillis(200);
        Duration grace = Duration.ofSeconds(30);
        try (MonitorProcess monitor = start(options(heartbeats.path(), limit, limit, grace, null, null))) {
            monitor.onEnding(why -> hasEnded.completeAsync(
                            () -> !rank.isAlive(), CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS))
                    .join());
            monitor.awaitReady();

            assertThat(rank.waitFor()).isEqualTo(128 + 15);
            assertThat(hasEnded).isCompletedWithValue(false);
        }
    }

    @Test
    void rankThatIsEndedAsItsMemoryHasRunOutIsReportedWithThat() throws Exception {
        store.set("call-0/0/3/decision", "of an iteration that is not over");
        heartbeats.enter(3, System.nanoTime());
        heartbeats.stampMemory(new MemoryUse(99, 0, MemoryUse.UNKNOWN, true));
        try (MonitorProcess monitor = start(options(heartbeats.path(), Duration.ofMillis(200)))) {
            monitor.awaitReady();

            assertThat(rank.waitFor()).isNotZero();

            assertThat(store.get("call-0/0/3/records").text())
                    .matches("(?s).*0 HARD_TIMEOUT \\d+ OUT_OF_MEMORY;true no progress for 200 ms .*");
        }
    }

    @Test
    void rankWhoseRestartLoopStandsStillIsEndedAndReported() throws Exception {
        store.set("call-0/0/3/decision", "of an iteration that is not over");
        heartbeats.enter(3, System.nanoTime());
        long inAnHour = System.nanoTime() + Duration.ofHours(1).toNanos();
        heartbeats.stamp(3, HeartbeatFile.NONE, inAnHour, HeartbeatFile.NEVER); // the function is well
        heartbeats.stampLoop(System.nanoTime());
        try (MonitorProcess monitor = start(options(heartbeats.path(), Duration.ofMillis(200)))) {
            monitor.awaitReady();

            assertThat(rank.waitFor()).isNotZero();

            assertThat(store.get("call-0/0/3/records").text())
                    .contains("HARD_TIMEOUT")
                    .contains("no cycle of its restart loop for 200 ms");
        }
    }

    @Test
    void iterationOfARankThatLeavesNoStampsIsInterruptedAndTheRankLivesOn() throws Exception {
        heartbeats.enter(3, System.nanoTime());
        try (MonitorProcess monitor =
                start(options(heartbeats.path(), Duration.ofMillis(200), Duration.ofMinutes(5)))) {
            monitor.awaitReady();

            assertThat(store.get("call-0/0/3/outcome").text()).isEqualTo("INTERRUPTED by a hang");
            assertThat(store.get("call-0/0/3/records").text())
                    .startsWith("0 SOFT_TIMEOUT ")
                    .contains(" SILENT;true its process has shown no progress for 200 ms");
            assertThat(store.members("call-0/0/terminated").isEmpty()).isTrue();
            assertThat(rank.isAlive()).isTrue();
        }
    }

    @Test
    void iterationOfARankThatIsSilentAsItsMemoryHasRunOutIsInterruptedForThat() throws Exception {
        heartbeats.enter(3, System.nanoTime());
        heartbeats.stampMemory(new MemoryUse(99, 0, MemoryUse.UNKNOWN, true));
        try (MonitorProcess monitor =
                start(options(heartbeats.path(), Duration.ofMillis(200), Duration.ofMinutes(5)))) {
            monitor.awaitReady();

            store.get("call-0/0/3/outcome");
            assertThat(store.get("call-0/0/3/records").text())
                    .startsWith("0 OUT_OF_MEMORY ")
                    .contains("for 200 ms; a thread has died as memory ran out, heap 99 % after collection");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "HUP", "TERM"})
    void monitorProcessOutlivesASignalToTheWholeProcessGroup(String signal) throws Exception {
        try (MonitorProcess monitor = start(options(heartbeats.path(), Duration.ofSeconds(2)))) {
            monitor.awaitReady();

            signal(signal, child.pid());

            assertThat(rank.waitFor()).as("it still ends the rank that hangs").isNotZero();
            assertThat(store.members("call-0/0/terminated")).isEqualTo(IndexSet.of(0));
        }
    }

    @Test
    void monitorProcessThatCannotStartSaysWhy() {
        Path missing = Path.of("/no/such/heartbeats");
        try (MonitorProcess monitor = startChild()) {
            monitor.watch(options(missing, Duration.ofMinutes(5)));

            assertThatExceptionOfType(MonitorProcessException.class)
                    .isThrownBy(monitor::awaitReady)
                    .withMessageContaining("the monitor process " + child.pid() + " ended: ")
                    .withMessageContaining("NoSuchFileException: " + missing);
        }
    }

    @Test
    void heartbeatFileIsGoneOnceBothProcessesHaveOpenedIt() throws Exception {
        try (MonitorProcess monitor = start()) {
            monitor.awaitReady();

            assertThat(heartbeats.path()).doesNotExist();
        }
    }

    /** A rank that a launcher kills while it waits for the store has told its monitor process nothing else. */
    @Test
    void heartbeatFileOfARankThatEndsEarlyIsDeletedByItsMonitorProcess() throws Exception {
        Process monitor = MonitorCommand.builder().start();
        try {
            monitor.getOutputStream()
                    .write(MonitorOptions.lineOf(heartbeats.path()).getBytes(UTF_8));
            monitor.getOutputStream().close();
            monitor.waitFor();

            assertThat(heartbeats.path()).doesNotExist();
        } finally {
            monitor.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"monitorProcessLogFile", "monitorProcessPidFile"})
    void fileThatIsALinkIsRefusedAndWhereItLeadsIsUntouched(String option, @TempDir Path directory) throws Exception {
        Path victim = Files.writeString(directory.resolve("victim"), "precious");
        Path link = Files.createSymbolicLink(directory.resolve("planted"), victim);
        boolean isLog = option.equals("monitorProcessLogFile");
        Duration never = Duration.ofMinutes(5);
        MonitorOptions options =
                options(heartbeats.path(), never, never, GRACE, isLog ? link : null, isLog ? null : link);

        try (MonitorProcess monitor = start(options)) {
            assertThatExceptionOfType(MonitorProcessException.class)
                    .isThrownBy(monitor::awaitReady)
                    .withMessageContaining(option + ": " + link
                            + " is a symbolic link, and is not followed: remove it, or name one in a directory that only"
                            + " you can write to");
        }

        assertThat(victim).hasContent("precious");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void commandLineThatEveryUserCanReadHasNothingOfTheJob() throws Exception {
        MonitorOptions options = options(heartbeats.path(), Duration.ofMinutes(5));
        try (MonitorProcess monitor = start(options)) {
            monitor.awaitReady();
            Path process = Path.of("/proc", Long.toString(child.pid()));

            assertThat(Files.readString(process.resolve("cmdline")))
                    .contains(MonitorMain.class.getName())
                    .doesNotContain(
                            identity.run(),
                            heartbeats.path().toString(),
                            HexFormat.of().formatHex(store.renewal().token().bytes()));
        }
    }

    /** Netty loads native code, of which newer versions of Java warn: into the pipe that belongs to the messages. */
    @ParameterizedTest
    @MethodSource("javas")
    void monitorProcessWritesNothingButItsMessages(String java) throws Exception {
        ProcessBuilder builder = MonitorCommand.builder().redirectErrorStream(true);
        builder.command().set(0, java);
        Process monitor = builder.start();
        try {
            MonitorOptions options = options(heartbeats.path(), Duration.ofMinutes(5));
            monitor.getOutputStream().write((options.toText() + MonitorProcess.END_OF_OPTIONS + "\n").getBytes(UTF_8));
            monitor.getOutputStream().write(MonitorProcess.GOODBYE);
            monitor.getOutputStream().close();

            assertThat(new String(monitor.getInputStream().readAllBytes(), UTF_8))
                    .isEqualTo(MonitorProcess.READY + System.lineSeparator());
            assertThat(builder.command()).contains("--enable-native-access=ALL-UNNAMED");
        } finally {
            monitor.destroyForcibly();
        }
    }

    /** Returns this Java and, if there is one, a newer one that warns. */
    static List<String> javas() throws IOException {
        Path here = Path.of(System.getProperty("java.home"));
        List<Path> homes = new ArrayList<>(List.of(here));
        String newer = System.getenv("JAVA_25_HOME");
        if (newer != null) {
            homes.add(Path.of(newer));
        } else if (Files.isDirectory(Path.of("/usr/lib/jvm"))) {
            try (Stream<Path> installed = Files.list(Path.of("/usr/lib/jvm"))) {
                installed
                        .filter(home -> home.getFileName().toString().contains("25-"))
                        .forEach(homes::add);
            }
        }
        return homes.stream()
                .map(home -> home.resolve("bin").resolve("java"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .toList();
    }
}

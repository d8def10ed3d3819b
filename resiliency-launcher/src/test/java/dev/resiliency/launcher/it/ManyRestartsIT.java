package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a supervisor or an agent holds, and what an agent keeps in the store, must not grow with the restarts. Both start
 * processes while the test counts, and the pipes of one that starts are open for a moment: so a count may be taken again.
 */
@Tag("full")
class ManyRestartsIT {
    private static final int FIRST = 10;
    private static final int LAST = 110;
    private static final int FIRST_OF_AGENT = 60;
    private static final int LAST_OF_AGENT = 300;
    /** What the heap and the code of a JVM may still grow by, in KiB. */
    private static final long MEMORY = 24 << 10;

    @TempDir
    private Path directory;

    @Test
    void descriptorsAndThreadsOfASupervisorStayTheSame() throws Exception {
        Path end = directory.resolve("end");
        String script = "echo run; [ -e '%s' ] && exit 0; exit 1".formatted(end);
        try (Supervised supervised =
                Supervised.script(directory, script, "--max-restarts", "1000", "--backoff", "50ms:50ms")) {
            Path process = Path.of("/proc", Long.toString(supervised.process().pid()));
            awaitRuns(supervised, FIRST);
            long descriptors = count(process.resolve("fd"));
            long threads = count(process.resolve("task"));

            awaitRuns(supervised, LAST);

            await().atMost(Patience.stretch(Duration.ofSeconds(20))).untilAsserted(() -> {
                assertThat(count(process.resolve("fd"))).isLessThanOrEqualTo(descriptors + 3);
                assertThat(count(process.resolve("task"))).isLessThanOrEqualTo(threads + 3);
            });
            Files.createFile(end);
            assertThat(supervised.awaitExit()).isZero();
            assertThat(count(directory.resolve("run"))).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft", "hard"})
    void agentThatHostsTheStoreStaysTheSame(String policy) throws Exception {
        Path end = directory.resolve("end");
        int port = ProcessJob.freePort();
        String script = "echo run; [ -e '%s' ] && exit 0; exit 1".formatted(end);
        try (Launched agent = Launched.script(
                        directory,
                        "node",
                        script,
                        "--rdzv-endpoint",
                        "127.0.0.1:" + port,
                        "--restart-policy",
                        policy,
                        "--per-cycle-applog-prefix",
                        directory.resolve("logs/train").toString(),
                        "--max-restarts",
                        "10000",
                        "--max-startup-failures",
                        "0",
                        "--backoff",
                        "1ms:1ms");
                TcpStore store = TcpStore.builder()
                        .port(port)
                        .connectTimeout(Duration.ofSeconds(30))
                        .connect()) {
            awaitRuns(agent, FIRST_OF_AGENT);
            Figures first = Figures.of(agent, store);

            awaitRuns(agent, LAST_OF_AGENT);

            await().atMost(Patience.stretch(Duration.ofSeconds(20))).untilAsserted(() -> {
                Figures last = Figures.of(agent, store);
                assertThat(last).as("%s, then %s", first, last).satisfies(first::holdsNoLessThan);
            });
            Files.createFile(end);
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(filesIn(directory.resolve("run"))).isEmpty();
        }
    }

    /** What an agent holds; its resident memory in KiB, and all keys but events, faults and reports, of which the store keeps the last. */
    private record Figures(long descriptors, long threads, long memory, long keys) {
        void holdsNoLessThan(Figures last) {
            assertThat(last.descriptors()).as("descriptors").isLessThanOrEqualTo(descriptors + 3);
            assertThat(last.threads()).as("threads").isLessThanOrEqualTo(threads + 3);
            assertThat(last.memory()).as("memory").isLessThanOrEqualTo(memory + MEMORY);
            assertThat(last.keys()).as("keys").isLessThanOrEqualTo(keys + 3);
        }

        static Figures of(Launched agent, TcpStore store) throws Exception {
            Path process = Path.of("/proc", Long.toString(agent.process().pid()));
            String memory = Files.readAllLines(process.resolve("status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .findFirst()
                    .orElseThrow();
            return new Figures(
                    count(process.resolve("fd")),
                    count(process.resolve("task")),
                    Long.parseLong(memory.replaceAll("\\D", "")),
                    store.keys("").stream()
                            .filter(key -> !key.matches(".*/(events|faults|reports)/.*"))
                            .count());
        }
    }

    private static void awaitRuns(Launched agent, int runs) {
        await().atMost(Patience.stretch(Duration.ofMinutes(2)))
                .until(() -> agent.process().lines().size() >= runs);
    }

    private static void awaitRuns(Supervised supervised, int runs) {
        await().atMost(Patience.stretch(Duration.ofSeconds(90)))
                .until(() -> supervised.process().lines().size() >= runs);
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static long count(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }
}

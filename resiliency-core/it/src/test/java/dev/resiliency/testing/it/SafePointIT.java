package dev.resiliency.testing.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import dev.resiliency.testing.Signal;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that join and leave at safe points; those that leave are asked by a real SIGTERM. */
class SafePointIT {
    /** The exit code of a process that SIGTERM has ended. */
    private static final int TERMINATED = 143;

    private static final Pattern STEPS = Pattern.compile("STEPS (\\d+) to (\\d+) of (\\d+)");

    @TempDir
    private Path directory;

    private TcpStoreServer server;

    @BeforeEach
    void startServer() throws InterruptedException {
        server = TcpStoreServer.builder().start();
    }

    @AfterEach
    void closeServer() {
        server.close();
    }

    private ProcessJob start(int worldSize, String... properties) throws Exception {
        return ProcessJob.builder(SafePointProgram.class, directory)
                .worldSize(worldSize)
                .javaOptions(properties)
                .start();
    }

    private String storePort() {
        return "-DstorePort=" + server.port();
    }

    private static void awaitEntered(int worldSize, RankProcess... ranks) throws Exception {
        for (RankProcess rank : ranks) {
            rank.awaitThat(
                    "enters a world of " + worldSize,
                    () -> rank.lines().stream().anyMatch(line -> line.matches("ENTERED \\d+ of " + worldSize)));
        }
    }

    /** Asserts that each call of the function went on with the step at which the one before ended; returns the last. */
    private static int assertStepsHaveNoGapAndNoRepetition(RankProcess rank) {
        List<int[]> calls = new ArrayList<>();
        for (String line : rank.lines()) {
            Matcher steps = STEPS.matcher(line);
            if (steps.matches()) {
                calls.add(new int[] {Integer.parseInt(steps.group(1)), Integer.parseInt(steps.group(2))});
            }
        }
        for (int i = 1; i < calls.size(); i++) {
            assertThat(calls.get(i)[0]).as("calls of rank " + rank.rank()).isEqualTo(calls.get(i - 1)[1]);
        }
        return calls.get(calls.size() - 1)[1];
    }

    @Test
    void jobGrowsAndIsDrainedWithoutALostStep() throws Exception {
        try (ProcessJob job = start(2, storePort(), "-DsafePoints=true", "-Dlargest=4", "-Dsmallest=2")) {
            RankProcess one = job.rank(0);
            RankProcess two = job.rank(1);
            awaitEntered(2, one, two);
            RankProcess three = job.start(0);
            RankProcess four = job.start(1);
            awaitEntered(4, one, two, three, four);

            one.signal("TERM"); // the one that publishes safe points
            four.signal("TERM");

            for (RankProcess leaving : List.of(one, four)) {
                assertThat(leaving.awaitExit()).isZero();
                assertThat(leaving.lines()).contains("RESULT null");
                assertThat(leaving.log()).contains("it was asked to (SIGTERM) and leaves at safe point");
                assertStepsHaveNoGapAndNoRepetition(leaving);
            }
            assertThat(two.awaitExit()).isZero();
            assertThat(three.awaitExit()).isZero();
            int end = assertStepsHaveNoGapAndNoRepetition(two);
            assertThat(assertStepsHaveNoGapAndNoRepetition(three)).isEqualTo(end);
            assertThat(two.lines()).contains("RESULT " + end);
            assertThat(two.log())
                    .contains("SCALE_UP", "LEAVING of", "stopped by safe point")
                    .doesNotContain("EXCEPTION", "TERMINATED", "SAFE_POINT_MISSED");
        }
    }

    @Test
    void allRanksLeaveTogetherAlsoTheHostOfTheStore() throws Exception {
        try (ProcessJob job = start(2, "-DsafePoints=true")) {
            awaitEntered(2, job.rank(0), job.rank(1));

            Signal.send("TERM", job.ranks().stream().map(RankProcess::pid).toList());

            for (RankProcess rank : job.ranks()) {
                assertThat(rank.awaitExit()).isZero();
                assertThat(rank.lines()).contains("RESULT null");
            }
            assertThat(job.rank(0).log()).doesNotContain("which ends with this process");
        }
    }

    @Tag("full")
    @Test
    void secondSignalEndsTheRankAtOnce() throws Exception {
        try (ProcessJob job = start(2, storePort(), "-Dlargest=2", "-Dsmallest=1")) {
            awaitEntered(2, job.rank(0), job.rank(1));
            job.rank(1).signal("TERM");
            job.rank(1).awaitThat("receives the signal", () -> job.rank(1).log().contains("received SIGTERM: "));
            job.rank(1).awaitThat("announces it", () -> job.rank(1).log().contains("is to leave the job"));

            job.rank(1).signal("TERM");

            assertThat(job.rank(1).awaitExit()).isEqualTo(TERMINATED);
            assertThat(job.rank(0).awaitExit()).isZero();
            assertThat(job.rank(0).log()).contains("TERMINATED_BY_RANK on rank 1");
        }
    }

    @Tag("full")
    @Test
    void endOfTheGraceEndsARankWhoseFunctionCallsNoSafePoint() throws Exception {
        try (ProcessJob job = start(2, storePort(), "-Dlargest=2", "-Dsmallest=1", "-DgraceMillis=500")) {
            awaitEntered(2, job.rank(0), job.rank(1));

            job.rank(1).signal("TERM");

            assertThat(job.rank(1).awaitExit()).isEqualTo(TERMINATED);
            assertThat(job.rank(1).log()).contains("no safe point or restart within 0.5 s");
            assertThat(job.rank(0).awaitExit()).isZero();
            assertThat(job.rank(0).log()).contains("TERMINATED_BY_RANK on rank 1");
        }
    }

    @Test
    void processThatIgnoresTheSignalSinceItsStartSaysSo() throws Exception {
        Path log = directory.resolve("ignoring.log");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "trap '' TERM; exec \"$0\" \"$@\"",
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        SafePointProgram.class.getName())
                .redirectError(log.toFile())
                .start();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            assertThat(lines.lines()).contains("RESULT 20");
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(log)).contains("this process ignores SIGTERM since its start");
    }
}

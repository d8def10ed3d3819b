package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs of real processes that are killed and replaced: after each recovery every rank has the state of its step, and at the
 * end that of a run without faults, to the bit. All but the first recovery come from memory.
 */
class LiveStateIT {
    private static final int RANKS = 3;
    private static final int STEPS = 150;

    @TempDir
    private Path directory;

    private Path secret;
    private TcpStoreServer server;

    @BeforeEach
    void startServer() throws Exception {
        secret = Files.createFile(
                directory.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "0123456789abcdef0123456789abcdef");
        server = TcpStoreServer.builder().secret(Secret.ofFile(secret)).start();
    }

    @AfterEach
    void closeServer() {
        server.close();
    }

    private ProcessJob start() throws Exception {
        return ProcessJob.builder(LiveStateProgram.class, directory)
                .worldSize(RANKS)
                .environment(Secret.VARIABLE, secret.toString())
                .javaOptions("-DstorePort=" + server.port(), "-Dranks=" + RANKS, "-Dsteps=" + STEPS)
                .limit(Duration.ofSeconds(90))
                .start();
    }

    private static void awaitStep(RankProcess rank, int step) throws Exception {
        rank.awaitLine("STEP " + step);
    }

    private static List<String> recoveries(RankProcess rank) {
        return rank.lines().stream()
                .filter(line -> line.startsWith("RECOVERED"))
                .toList();
    }

    private static void assertEndsAsWithoutFaults(ProcessJob job) throws Exception {
        for (RankProcess rank : job.ranks()) {
            assertThat(rank.awaitExit()).as("exit of rank %d", rank.rank()).isZero();
            assertThat(rank.lines()).contains("RESULT " + LiveStateProgram.expected(STEPS));
            assertThat(recoveries(rank)).isNotEmpty().allMatch(line -> line.contains(" 0 lost, RIGHT"));
        }
    }

    /** Asserts that all recoveries but the first of a founder came from memory. */
    private static void assertCheckpointWasReadAtTheStartOnly(ProcessJob job) {
        for (RankProcess rank : job.ranks()) {
            assertThat(recoveries(rank))
                    .filteredOn(line -> !line.endsWith(" in iteration 0"))
                    .noneMatch(line -> line.contains("CHECKPOINT"));
        }
    }

    @Test
    void replacementOfAKilledRankReceivesTheStateAndNoStepIsRepeated() throws Exception {
        try (ProcessJob job = start()) {
            awaitStep(job.rank(0), 20);

            job.rank(1).kill();
            RankProcess replacement = job.start(1);

            assertEndsAsWithoutFaults(job);
            assertCheckpointWasReadAtTheStartOnly(job);
            assertThat(recoveries(replacement)).first().asString().containsPattern("from PEERS \\{(0|2|0, 2)}");
            assertThat(replacement.log()).contains("recovered step ").containsPattern("from ranks? \\{(0|2|0, 2)}");
        }
    }

    @Tag("full")
    @Test
    void twoOfThreeRanksKilledAtOnceAreBroughtBackByTheThird() throws Exception {
        try (ProcessJob job = start()) {
            awaitStep(job.rank(0), 20);

            job.rank(0).kill();
            job.rank(2).kill();
            job.start(0);
            job.start(2);

            assertEndsAsWithoutFaults(job);
            assertCheckpointWasReadAtTheStartOnly(job);
        }
    }

    @Tag("full")
    @Test
    void sourceAndJoinerThatAreKilledInTheRecoveryAreReplaced() throws Exception {
        try (ProcessJob job = start()) {
            awaitStep(job.rank(0), 20);
            job.rank(1).kill();
            RankProcess joiner = job.start(1);
            joiner.awaitThat("enters", () -> joiner.lines().stream().anyMatch(line -> line.startsWith("ENTERED")));

            job.rank(2).kill(); // a source, while the joiner receives
            RankProcess second = job.start(2);
            second.awaitThat("enters", () -> second.lines().stream().anyMatch(line -> line.startsWith("ENTERED")));
            second.kill(); // a joiner, while it receives
            job.start(2);

            assertEndsAsWithoutFaults(job);
            assertCheckpointWasReadAtTheStartOnly(job);
        }
    }

    @Tag("full")
    @Test
    void whenAllAreKilledTheCheckpointIsRead() throws Exception {
        try (ProcessJob job = start()) {
            awaitStep(job.rank(0), 20);

            job.ranks().forEach(RankProcess::kill);
            for (int rank = 0; rank < RANKS; rank++) {
                job.start(rank);
            }

            assertEndsAsWithoutFaults(job);
            assertThat(job.ranks())
                    .allSatisfy(rank ->
                            assertThat(recoveries(rank)).first().asString().contains("step 0 from CHECKPOINT"));
        }
    }
}

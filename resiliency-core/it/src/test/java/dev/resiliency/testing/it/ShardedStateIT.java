package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.store.tcp.Tls;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs of real processes that hold a shard each, with a store whose connections are encrypted: so are the copies of shards,
 * and what replacements receive. Ranks 0 and 1 keep each other's copies, as do 2 and 3.
 */
class ShardedStateIT {
    private static final int RANKS = 4;
    private static final int STEPS = 150;
    /** By this step, a copy has arrived for certain: one is made after every fifth. */
    private static final int LATER = 50;

    @TempDir
    private Path directory;

    private Path trust;
    private TcpStoreServer server;

    @BeforeEach
    void startServer() throws Exception {
        StoreCertificate certificate = StoreCertificate.create(directory);
        trust = certificate.trust();
        server = TcpStoreServer.builder().tls(certificate.server()).start();
    }

    @AfterEach
    void closeServer() {
        server.close();
    }

    private ProcessJob start() throws Exception {
        return ProcessJob.builder(LiveStateProgram.class, directory)
                .worldSize(RANKS)
                .environment(Tls.TRUST_VARIABLE, trust.toString())
                .javaOptions("-DstorePort=" + server.port(), "-Dranks=" + RANKS, "-Dsteps=" + STEPS, "-DcopyEvery=5")
                .limit(Duration.ofMinutes(3))
                .start();
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
            assertThat(recoveries(rank)).isNotEmpty().allMatch(line -> line.contains(" RIGHT"));
        }
    }

    @Test
    void shardOfAKilledRankComesFromItsBuddyOverAnEncryptedConnection() throws Exception {
        try (ProcessJob job = start()) {
            job.rank(0).awaitLine("STEP " + LATER);

            job.rank(2).kill();
            RankProcess replacement = job.start(2);

            assertEndsAsWithoutFaults(job);
            assertThat(recoveries(replacement))
                    .first()
                    .asString()
                    .contains("from PEERS {")
                    .contains("3");
            assertThat(recoveries(job.rank(0))).last().asString().contains("from MEMORY");
        }
    }

    @Tag("full")
    @Test
    void whereAKilledRankAndItsBuddyAreKilledAllReadTheCheckpoint() throws Exception {
        try (ProcessJob job = start()) {
            job.rank(0).awaitLine("STEP " + LATER);

            job.rank(2).kill();
            job.rank(3).kill();
            RankProcess replacement = job.start(2);
            job.start(3);

            assertEndsAsWithoutFaults(job);
            assertThat(recoveries(replacement)).first().asString().contains("step 0 from CHECKPOINT");
        }
    }
}

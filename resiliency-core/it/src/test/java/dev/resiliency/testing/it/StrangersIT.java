package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that do not belong to a job do not disturb it: real processes, and mistakes that users make. */
class StrangersIT {
    private static final String REFUSED =
            "THROWN dev.resiliency.inprocess.RankFencedException: rank %d has not joined: the job at 127.0.0.1:%d (run ";

    private static final String ADMITS_NOBODY = "-DadmitsNobody=true";
    /** The prefix of the keys of the first generation. */
    private static final String KEYS = "jobs/default/call-0/0/";

    @TempDir
    private Path directory;

    /** Starts a single process with the identity of a rank of the job at this port. */
    private ProcessJob startStray(int rank, int worldSize, int port, String... properties) throws Exception {
        return ProcessJob.builder(RankProgram.class, Files.createDirectories(directory.resolve("stray")))
                .environment("RANK", Integer.toString(rank))
                .environment("WORLD_SIZE", Integer.toString(worldSize))
                .environment("MASTER_PORT", Integer.toString(port))
                .javaOptions("-Diterations=0")
                .javaOptions(properties)
                .start();
    }

    private static void assertRefused(RankProcess stray, int rank, int port, String why) throws Exception {
        assertThat(stray.awaitExit()).isZero();
        assertThat(stray.lines()).contains("LEFT []").noneMatch(line -> line.startsWith("ENTERED"));
        assertThat(stray.lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith(REFUSED.formatted(rank, port))
                        .contains(why));
    }

    private static void awaitAllEntered(ProcessJob job) throws Exception {
        for (RankProcess rank : job.ranks()) {
            rank.awaitLine("ENTERED %d of %d, iteration 0"
                    .formatted(rank.rank(), job.ranks().size()));
        }
    }

    /** Ends a job of two ranks, which has never restarted, by the death of rank 1, the first that it hears of. */
    private static void assertUndisturbed(ProcessJob job) throws Exception {
        assertThat(job.ranks())
                .allSatisfy(rank -> assertThat(rank.lines()).noneMatch(line -> line.startsWith("STOPPED")));
        job.rank(1).kill();
        assertEndsWell(job.rank(0), "ENTERED 0 of 1, iteration 1");
    }

    private static void assertEndsWell(RankProcess rank, String entered) throws Exception {
        assertThat(rank.awaitExit()).isZero();
        assertThat(rank.lines()).contains(entered, "LEFT []").anyMatch(line -> line.startsWith("RESULT"));
    }

    @Test
    void processOfAnotherWorldIsRefusedAtOnceAndDisturbsNoOne() throws Exception {
        try (ProcessJob job = RankProgram.start(2, directory, "-Diterations=1")) {
            awaitAllEntered(job);

            try (ProcessJob stray = startStray(2, 3, job.port())) {
                assertRefused(stray.rank(0), 2, job.port(), "it has 2 ranks, but WORLD_SIZE is 3 here");
            }
            try (ProcessJob stray = startStray(1, 3, job.port())) {
                assertRefused(stray.rank(0), 1, job.port(), "it has 2 ranks, but WORLD_SIZE is 3 here");
            }

            assertUndisturbed(job);
        }
    }

    @Tag("full")
    @Test
    void rankThatIsStartedTwiceIsRefusedWhereNobodyIsAdmitted() throws Exception {
        try (ProcessJob job = RankProgram.start(2, directory, "-Diterations=1", ADMITS_NOBODY)) {
            awaitAllEntered(job);

            try (ProcessJob stray = startStray(1, 2, job.port(), ADMITS_NOBODY)) {
                assertRefused(stray.rank(0), 1, job.port(), "another process is this rank");
            }

            assertUndisturbed(job);
        }
    }

    @Tag("full")
    @Test
    void rankThatIsStartedTwiceWaitsAndDisturbsNoOneUntilItsHelpIsNeeded() throws Exception {
        try (ProcessJob job = RankProgram.start(2, directory, "-Diterations=1")) {
            awaitAllEntered(job);

            try (ProcessJob second = startStray(1, 2, job.port(), "-Diterations=1")) {
                RankProcess waits = second.rank(0);
                waits.awaitThat("waits to join", () -> waits.log().contains("waits to join the running job"));
                assertThat(waits.lines()).isEmpty();
                assertThat(job.ranks())
                        .allSatisfy(rank -> assertThat(rank.lines()).noneMatch(line -> line.startsWith("STOPPED")));

                job.rank(1).kill();

                assertEndsWell(job.rank(0), "ENTERED 0 of 2, iteration 1");
                assertEndsWell(waits, "ENTERED 1 of 2, iteration 1");
            }
        }
    }

    @Tag("full")
    @Test
    void processThatWaitsAndDiesDisturbsNoOne() throws Exception {
        try (ProcessJob job = RankProgram.start(2, directory, "-Diterations=1")) {
            awaitAllEntered(job);

            try (ProcessJob second = startStray(1, 2, job.port())) {
                RankProcess waits = second.rank(0);
                waits.awaitThat("waits to join", () -> waits.log().contains("waits to join the running job"));
                waits.kill();
                waits.awaitThat("has no process left", () -> waits.family().isEmpty());
            }

            assertUndisturbed(job);
        }
    }

    @Tag("full")
    @Test
    void deadRankThatIsStartedAgainNeverCallsTheFunctionWhereNobodyIsAdmitted() throws Exception {
        try (ProcessJob job = RankProgram.start(3, directory, "-Diterations=2", ADMITS_NOBODY)) {
            awaitAllEntered(job);
            loseRankOne(job);

            try (ProcessJob again = startStray(1, 3, job.port(), ADMITS_NOBODY)) {
                assertRefused(
                        again.rank(0),
                        1,
                        job.port(),
                        "has left it or was declared dead, and processes that come late may not join");
            }

            job.rank(2).kill();
            assertEndsWell(job.rank(0), "ENTERED 0 of 1, iteration 2");
        }
    }

    @Tag("full")
    @Test
    void deadRankThatIsStartedAgainJoins() throws Exception {
        try (ProcessJob job = RankProgram.start(3, directory, "-Diterations=2")) {
            awaitAllEntered(job);
            loseRankOne(job);

            try (ProcessJob again = startStray(1, 3, job.port(), "-Diterations=2")) {
                assertEndsWell(again.rank(0), "ENTERED 2 of 3, iteration 2");
            }

            assertEndsWell(job.rank(0), "ENTERED 0 of 3, iteration 2");
            assertEndsWell(job.rank(2), "ENTERED 1 of 3, iteration 2");
        }
    }

    private static void loseRankOne(ProcessJob job) throws Exception {
        job.rank(1).kill();
        job.rank(0).awaitLine("ENTERED 0 of 2, iteration 1");
        job.rank(2).awaitLine("ENTERED 1 of 2, iteration 1");
    }

    @Tag("full")
    @Test
    void monitorProcessThatFindsAnotherRunReportsNothing() throws Exception {
        TcpStoreServer first = TcpStoreServer.builder().start();
        int port = first.port();
        Path ofOldRun = Files.createDirectories(directory.resolve("old"));
        try (ProcessJob old = RankProgram.start(2, ofOldRun, "-Diterations=1", "-DstorePort=" + port)) {
            awaitAllEntered(old);
            RankProcess hangs = old.rank(1);
            hangs.signal("STOP");
            first.close();
            assertThat(old.rank(0).awaitExit()).isZero();

            try (TcpStoreServer second = TcpStoreServer.builder().port(port).start();
                    TcpStore store = TcpStore.builder().port(port).connect();
                    ProcessJob job = RankProgram.start(2, directory, "-Diterations=1", "-DstorePort=" + port)) {
                awaitAllEntered(job);

                hangs.kill();
                hangs.awaitThat("has no process left", () -> hangs.family().isEmpty());

                assertThat(store.members(KEYS + "terminated")).isEqualTo(IndexSet.empty());
                assertUndisturbed(job);
                assertThat(second.port()).isEqualTo(port);
            }
        } finally {
            first.close();
        }
    }

    @Tag("full")
    @Test
    void garbageInTheStoreOnlyRestartsTheJob() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                TcpStore stranger = TcpStore.builder().port(server.port()).connect();
                ProcessJob job = RankProgram.start(2, directory, "-Diterations=2", "-DstorePort=" + server.port())) {
            awaitAllEntered(job);
            stranger.set(KEYS + "0/outcome", Value.of("FOO"));
            for (RankProcess rank : job.ranks()) {
                rank.awaitLine("ENTERED %d of 2, iteration 1".formatted(rank.rank()));
                rank.awaitThat(
                        "logs the restart", () -> rank.log().contains("an interruption that no rank has recorded"));
            }

            stranger.set(KEYS + "1/records", Value.of("\u001b[31mgarbage\nmore of it\n"));
            stranger.set(KEYS + "1/outcome", Value.of("INTERRUPTED"));

            for (RankProcess rank : job.ranks()) {
                assertEndsWell(rank, "ENTERED %d of 2, iteration 2".formatted(rank.rank()));
                assertThat(rank.log()).containsOnlyOnce("skipped an unreadable record of a fault");
            }
        }
    }
}

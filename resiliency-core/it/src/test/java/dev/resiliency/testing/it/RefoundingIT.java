package dev.resiliency.testing.it;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose store is lost with the rank that hosts it. */
class RefoundingIT {
    @TempDir
    Path directory;

    @Test
    void hostMayDieAndTheNextOneToo() throws Exception {
        try (ProcessJob job = RankProgram.start(3, directory, "-Diterations=2")) {
            awaitAllEntered(job.ranks(), 0);

            job.rank(0).kill();
            awaitAllEntered(job.others(0), 1);
            job.rank(1).kill();

            assertEndsWell(
                    job.rank(2),
                    "SURVIVED as initial rank 2, generation 2, 2 restarts",
                    "ENTERED 0 of 1, iteration 2",
                    "RESULT 0");
            assertThat(job.rank(2).log())
                    .contains("[rank 2/3 it 0] the job's store was lost: rank 1 hosts it now, at 127.0.0.1:")
                    .contains("[rank 2/3 it 1] the job's store was lost: rank 2 hosts it now, at 127.0.0.1:");
            assertThat(directory.resolve("tmp-0")).isEmptyDirectory();
            assertThat(directory.resolve("tmp-1")).isEmptyDirectory();
        }
    }

    @Tag("full")
    @Test
    void ofTwoRanksTheOtherGoesOnAlone() throws Exception {
        try (ProcessJob job = RankProgram.start(2, directory, "-Diterations=1")) {
            awaitAllEntered(job.ranks(), 0);

            job.rank(0).kill();

            assertEndsWell(job.rank(1), "ENTERED 0 of 1, iteration 1", "RESULT 0");
        }
    }

    @Tag("full")
    @Test
    void hostMayDieInTheRestartAfterAnotherDeath() throws Exception {
        try (ProcessJob job = RankProgram.start(4, directory, "-Diterations=9")) {
            awaitAllEntered(job.ranks(), 0);

            job.rank(2).kill();
            job.rank(0).kill();

            for (RankProcess survivor : List.of(job.rank(1), job.rank(3))) {
                awaitEntered(survivor, survivor.rank() / 2, 2);
            }
        }
    }

    /** Three of four die at once: their monitor processes vote for them. */
    @Tag("full")
    @Test
    void monitorProcessesVoteForTheDead() throws Exception {
        try (ProcessJob job = RankProgram.start(4, directory, "-Diterations=9")) {
            awaitAllEntered(job.ranks(), 0);

            job.rank(1).kill();
            job.rank(2).kill();
            job.rank(0).kill();

            awaitEntered(job.rank(3), 0, 1);
            for (String named : List.of(
                    "the store that it hosted is lost on rank 0",
                    "process \\d+ died on rank 1",
                    "process \\d+ died on rank 2")) {
                Predicate<String> names = Pattern.compile(named).asPredicate();
                job.rank(3)
                        .awaitThat("say: " + named, () -> names.test(job.rank(3).log()));
            }
        }
    }

    @Tag("full")
    @Test
    void hostThatIsSuspendedIsLeftBehindAndEnds() throws Exception {
        try (ProcessJob job = RankProgram.start(
                3, directory, "-Diterations=1", "-DsoftMillis=1000", "-DhardMillis=3000", "-DleaseMillis=2000")) {
            awaitAllEntered(job.ranks(), 0);

            job.rank(0).signal("STOP");

            assertEndsWell(job.rank(1), "ENTERED 0 of 2, iteration 1");
            assertEndsWell(job.rank(2), "ENTERED 1 of 2, iteration 1");
        }
    }

    /** Its monitor process records that in the store, which ends with it a moment later. */
    @Tag("full")
    @Test
    void hostThatHangsCostsOneRestart() throws Exception {
        try (ProcessJob job = RankProgram.start(
                3,
                directory,
                "-Diterations=1",
                "-Dmisbehaving=0",
                "-Dmisbehave=SPIN",
                "-DsoftMillis=1500",
                "-DhardMillis=4000")) {
            for (RankProcess survivor : job.others(0)) {
                assertEndsWell(survivor, "ENTERED %d of 2, iteration 1".formatted(survivor.rank() - 1));
                assertThat(survivor.log())
                        .contains("the job's store was lost: rank 1 hosts it now")
                        .contains("SOFT_TIMEOUT on rank 0 (")
                        .contains("spinForEver")
                        .contains("HARD_TIMEOUT on rank 0 (");
            }
        }
    }

    @Tag("full")
    @Test
    void rankZeroThatIsStartedAgainJoinsTheJobWhereItLives() throws Exception {
        try (ProcessJob job = RankProgram.start(3, directory, "-Diterations=2")) {
            awaitAllEntered(job.ranks(), 0);
            job.rank(0).kill();
            awaitAllEntered(job.others(0), 1);

            RankProcess again = job.start(0);

            assertEndsWell(again, "JOINED as initial rank 3, generation 1, 2 restarts", "ENTERED 2 of 3, iteration 2");
            for (RankProcess survivor : job.others(0)) {
                assertEndsWell(survivor, "ENTERED %d of 3, iteration 2".formatted(survivor.rank() - 1));
            }
        }
    }

    /** The process of rank 0 that was started again tells the others where the job lives, as long as it runs. */
    @Tag("full")
    @Test
    void anyRankThatIsStartedAgainAfterRankZeroFindsTheJob() throws Exception {
        try (ProcessJob job = RankProgram.start(3, directory, "-Diterations=9")) {
            awaitAllEntered(job.ranks(), 0);
            job.rank(0).kill();
            awaitAllEntered(job.others(0), 1);
            RankProcess again = job.start(0);
            awaitEntered(again, 2, 3);
            job.rank(1).kill(); // which hosts the store
            awaitEntered(again, 1, 2);

            awaitEntered(job.start(1), 2, 3);
        }
    }

    @Tag("full")
    @Test
    void whoWaitsToJoinFollowsTheJob() throws Exception {
        try (ProcessJob job = RankProgram.start(3, directory, "-Diterations=9")) {
            awaitAllEntered(job.ranks(), 0);
            RankProcess spare = job.start(2);
            spare.awaitThat("wait to join", () -> spare.log().contains("waits to join the running job"));

            job.rank(0).kill();

            awaitEntered(spare, 2, 3);
        }
    }

    @Tag("full")
    @Test
    void whoComesJustAsTheHostIsLostFindsTheJob() throws Exception {
        try (ProcessJob job = RankProgram.start(3, directory, "-Diterations=9")) {
            awaitAllEntered(job.ranks(), 0);
            RankProcess late = job.start(2);
            ProcessHandle process = ProcessHandle.of(late.pid()).orElseThrow();
            late.awaitThat(
                    "start its monitor process",
                    () -> process.children().findAny().isPresent());

            job.rank(0).kill();
            job.start(0);

            late.awaitThat("wait to join", () -> late.log().contains("waits to join the running job"));
        }
    }

    @Tag("full")
    @Test
    void whoComesAsRankZeroIsLostWaitsUntilItComesAgain() throws Exception {
        try (ProcessJob job = ProcessJob.builder(RankProgram.class, directory)
                .worldSize(2)
                .starting(0)
                .javaOptions("-Diterations=0")
                .start()) {
            RankProcess early;
            try (TcpStoreServer server = TcpStoreServer.builder()
                    .host("127.0.0.1")
                    .port(job.port())
                    .scope("call-0")
                    .start()) {
                early = job.start(1);
                await("the wait for the claim of rank 0")
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> requireNonNull(server.figures()).waiting() > 0);
            }
            early.awaitThat("look again", () -> early.log().contains("not in the job yet, and looks for it again"));

            job.start(0);

            assertEndsWell(early, "ENTERED 1 of 2, iteration 0");
        }
    }

    private static void awaitAllEntered(List<RankProcess> ranks, int iteration) throws Exception {
        for (RankProcess rank : ranks) {
            rank.awaitLine("ENTERED %d of %d, iteration %d".formatted(ranks.indexOf(rank), ranks.size(), iteration));
        }
    }

    /** Waits until it takes part as this active rank, in whichever iteration. */
    private static void awaitEntered(RankProcess rank, int activeRank, int activeRanks) throws Exception {
        String entered = "ENTERED %d of %d, iteration ".formatted(activeRank, activeRanks);
        rank.awaitThat(entered, () -> rank.lines().stream().anyMatch(line -> line.startsWith(entered)));
    }

    private static void assertEndsWell(RankProcess rank, String... said) throws Exception {
        assertThat(rank.awaitExit()).isZero();
        assertThat(rank.lines()).contains(said).contains("LEFT []");
    }
}

package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import dev.resiliency.testing.Signal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of real processes whose world grows again: who dies is started again, as a supervisor would do it. */
class JoiningIT {
    private static final String WAITS = "waits to join the running job";

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
        return start(worldSize, worldSize, properties);
    }

    private ProcessJob start(int worldSize, int starting, String... properties) throws Exception {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("-DstorePort=" + server.port());
        return ProcessJob.builder(RankProgram.class, directory)
                .worldSize(worldSize)
                .starting(starting)
                .javaOptions(all.toArray(String[]::new))
                .start();
    }

    private static void awaitEntered(int worldSize, int iteration, RankProcess... ranks) throws Exception {
        for (RankProcess rank : ranks) {
            String end = " of %d, iteration %d".formatted(worldSize, iteration);
            rank.awaitThat(
                    "enters iteration " + iteration,
                    () -> rank.lines().stream().anyMatch(line -> line.startsWith("ENTERED ") && line.endsWith(end)));
        }
    }

    private static void awaitAllEntered(ProcessJob job, int iteration) throws Exception {
        awaitEntered(job.ranks().size(), iteration, job.ranks().toArray(RankProcess[]::new));
    }

    private static void awaitWaiting(RankProcess rank) throws Exception {
        awaitLogged(rank, WAITS);
    }

    private static void assertEndsWell(RankProcess... ranks) throws Exception {
        for (RankProcess rank : ranks) {
            assertThat(rank.awaitExit()).isZero();
            assertThat(rank.lines()).contains("LEFT []").anyMatch(line -> line.startsWith("RESULT"));
        }
    }

    /** Waits for what a rank logs about an iteration, which is after its function has been called. */
    private static void awaitLogged(RankProcess rank, String text) throws InterruptedException {
        rank.awaitThat("logs: " + text, () -> rank.log().contains(text));
    }

    /** Kills a rank of three and starts it again; returns the new process, which has brought the world back to its size. */
    private static RankProcess replace(ProcessJob job, int rank) throws Exception {
        awaitAllEntered(job, 0);
        job.rank(rank).kill();
        awaitEntered(2, 1, job.others(rank).toArray(RankProcess[]::new));
        RankProcess replacement = job.start(rank);
        awaitAllEntered(job, 2);
        return replacement;
    }

    @Test
    void replacementOfAKilledRankBringsTheWorldBackToItsSize() throws Exception {
        try (ProcessJob job = start(3, "-Diterations=2")) {
            RankProcess replacement = replace(job, 0);

            assertThat(replacement.lines()).contains("JOINED as initial rank 3, generation 0, 2 restarts");
            assertThat(job.rank(1).lines()).contains("SURVIVED as initial rank 1, generation 0, 2 restarts");
            awaitLogged(job.rank(1), "SCALE_UP");
            awaitLogged(job.rank(1), "rank 3 joined");
            assertEndsWell(job.ranks().toArray(RankProcess[]::new));
        }
    }

    @Test
    void whenAllAreKilledTheJobGoesOnInTheNextGeneration() throws Exception {
        try (ProcessJob job = start(2, "-Diterations=101")) {
            awaitAllEntered(job, 0);

            job.ranks().forEach(RankProcess::kill);
            job.start(0);
            job.start(1);

            awaitAllEntered(job, 100);
            assertThat(job.rank(0).lines()).contains("FOUNDED as initial rank 0, generation 1, 1 restarts");
            job.rank(1).kill();
            awaitEntered(1, 101, job.rank(0));
            assertEndsWell(job.rank(0));
        }
    }

    @Tag("full")
    @Test
    void thoseWhoWaitFoundTheNextGenerationOnce() throws Exception {
        try (ProcessJob job = start(2, "-Diterations=100")) {
            awaitAllEntered(job, 0);
            RankProcess first = job.rank(0);
            RankProcess second = job.rank(1);
            RankProcess one = job.start(0);
            RankProcess two = job.start(1);
            awaitWaiting(one);
            awaitWaiting(two);

            first.signal("STOP"); // so that neither is admitted by a last survivor
            second.signal("STOP");
            first.kill();
            second.kill();

            awaitEntered(2, 100, one, two);
            assertThat(one.lines()).contains("FOUNDED as initial rank 0, generation 1, 1 restarts");
            assertThat(two.lines()).contains("FOUNDED as initial rank 1, generation 1, 1 restarts");
            assertEndsWell(one, two);
        }
    }

    @Test
    void secondProcessOfARankIsASpareThatDisturbsNoOneAndStepsIn() throws Exception {
        try (ProcessJob job = start(2, "-Diterations=1")) {
            awaitAllEntered(job, 0);
            RankProcess first = job.rank(1);
            RankProcess spare = job.start(1);
            awaitWaiting(spare);
            assertThat(first.lines()).noneMatch(line -> line.startsWith("STOPPED"));

            job.rank(0).kill();

            awaitEntered(2, 1, first, spare);
            assertEndsWell(first, spare);
        }
    }

    @Tag("full")
    @Test
    void joinerThatIsKilledWhileItWaitsInterruptsNoOne() throws Exception {
        try (ProcessJob job = start(2, "-Diterations=1")) {
            awaitAllEntered(job, 0);
            RankProcess first = job.rank(1);
            for (int i = 0; i < 2; i++) {
                RankProcess joiner = job.start(1);
                awaitWaiting(joiner);
                joiner.kill();
                joiner.awaitExit(); // two that die at once may end in any order
            }

            assertThat(first.lines()).noneMatch(line -> line.startsWith("STOPPED"));
            assertThat(job.rank(0).lines()).noneMatch(line -> line.startsWith("STOPPED"));
            first.kill();
            awaitEntered(1, 1, job.rank(0));
            assertEndsWell(job.rank(0));
        }
    }

    @Tag("full")
    @Test
    void joinerThatDiesInItsFirstIterationCostsOneRestartLikeAnyRank() throws Exception {
        try (ProcessJob job = start(2, "-Diterations=3")) {
            awaitAllEntered(job, 0);
            job.rank(1).kill();
            awaitEntered(1, 1, job.rank(0));
            RankProcess joiner = job.start(1);
            awaitEntered(2, 2, job.rank(0), joiner);

            joiner.kill();

            awaitEntered(1, 3, job.rank(0));
            assertEndsWell(job.rank(0));
        }
    }

    @Tag("full")
    @Test
    void whoWaitsWhenTheJobCompletesReturnsAsAReserveDoes() throws Exception {
        try (ProcessJob job = start(2, "-Diterations=1")) {
            awaitAllEntered(job, 0);
            RankProcess first = job.rank(0);
            RankProcess spare = job.start(0);
            awaitWaiting(spare);
            RankProcess second = job.start(1);
            awaitWaiting(second);

            first.kill(); // one of them steps in, in the last iteration

            assertThat(spare.awaitExit()).isZero();
            assertThat(second.awaitExit()).isZero();
            RankProcess late = job.start(0);
            assertThat(late.awaitExit()).isZero();
            assertThat(late.lines()).contains("RESULT null");
            assertThat(late.log()).contains("is complete, so this process has nothing to do");
        }
    }

    /** Returns the process as soon as it is a JVM, which has yet to start. */
    private static long awaitMonitorOf(RankProcess rank) throws InterruptedException {
        AtomicLong found = new AtomicLong();
        rank.awaitThat("starts its monitor process", () -> {
            ProcessHandle.of(rank.pid()).stream()
                    .flatMap(ProcessHandle::children)
                    .filter(child -> child.info().command().orElse("").endsWith("/java"))
                    .forEach(child -> found.set(child.pid()));
            return found.get() > 0;
        });
        return found.get();
    }

    private boolean hasNumberedAJoiner() {
        try (TcpStore store = TcpStore.builder().port(server.port()).connect()) {
            return store.keys("").stream().anyMatch(key -> key.endsWith("/0/ids"));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Its monitor process finds no key of the generation any more when it connects. */
    @Test
    void whoseMonitorProcessStartsWhileTheJobCompletesReturnsAsAReserveDoes() throws Exception {
        try (ProcessJob job = start(2, "-Diterations=1")) {
            awaitAllEntered(job, 0);
            RankProcess first = job.rank(0);
            RankProcess spare = job.start(0);
            List<Long> monitor = List.of(awaitMonitorOf(spare));
            Signal.send("STOP", monitor);
            spare.awaitThat("has a number", this::hasNumberedAJoiner);

            job.rank(1).kill();
            assertThat(first.awaitExit()).isZero();
            Signal.send("CONT", monitor);

            assertThat(spare.awaitExit()).isZero();
            assertThat(spare.lines()).contains("RESULT null");
        }
    }

    @Tag("full")
    @Test
    void processOfAnotherWorldIsRefused() throws Exception {
        try (ProcessJob job = start(2, "-Diterations=1")) {
            awaitAllEntered(job, 0);
            try (ProcessJob stray = ProcessJob.builder(
                            RankProgram.class, Files.createDirectories(directory.resolve("stray")))
                    .environment("WORLD_SIZE", "3")
                    .javaOptions("-Diterations=0", "-DstorePort=" + server.port())
                    .start()) {
                assertThat(stray.rank(0).awaitExit()).isZero();
                assertThat(stray.rank(0).lines())
                        .anySatisfy(line -> assertThat(line).contains("it has 2 ranks, but WORLD_SIZE is 3 here"));
            }
            job.rank(1).kill();
            assertEndsWell(job.rank(0));
        }
    }

    @Tag("full")
    @Test
    void founderThatNeverComesIsLeftBehindAndJoinsLater() throws Exception {
        try (ProcessJob job = start(3, 2, "-Diterations=1", "-DminRanks=2", "-DrendezvousMillis=8000")) {
            awaitEntered(2, 0, job.rank(0), job.rank(1));
            awaitLogged(
                    job.rank(0),
                    "the job starts without ranks {2}, which may join later: TERMINATED on rank 2 (it has not come within 8 s)");

            RankProcess late = job.start(2);

            awaitEntered(3, 1, job.rank(0), job.rank(1), late);
            assertEndsWell(job.rank(0), job.rank(1), late);
        }
    }

    @Tag("full")
    @Test
    void jobWithTooFewRanksEndsAndNamesWhoIsLeft() throws Exception {
        try (ProcessJob job = start(3, "-Diterations=1", "-DminRanks=3", "-DrendezvousMillis=3000")) {
            awaitAllEntered(job, 0);

            job.rank(0).kill();

            for (RankProcess rank : job.others(0)) {
                assertThat(rank.awaitExit()).isZero();
                assertThat(rank.lines())
                        .anySatisfy(line -> assertThat(line)
                                .contains("TooFewRanksException")
                                .contains("{1, 2}"));
            }
        }
    }

    @Tag("full")
    @Test
    void whoWaitsWhenTheStoreIsLostSaysSo() throws Exception {
        try (ProcessJob job = start(2, "-Diterations=1")) {
            awaitAllEntered(job, 0);
            RankProcess spare = job.start(0);
            awaitWaiting(spare);

            server.close();

            assertThat(spare.awaitExit()).isZero();
            assertThat(spare.lines()).anySatisfy(line -> assertThat(line).contains("StoreLostException"));
        }
    }

    @Tag("full")
    @Test
    void onAStoreThatRankZeroHostsTheOtherRanksAreReplaced() throws Exception {
        try (ProcessJob job = RankProgram.start(3, directory, "-Diterations=2")) {
            replace(job, 2);

            assertEndsWell(job.ranks().toArray(RankProcess[]::new));
        }
    }

    @Tag("full")
    @Test
    void oneServerServesSeveralJobsAtOnce() throws Exception {
        try (ProcessJob one = startAs("one");
                ProcessJob other = startAs("other")) {
            awaitAllEntered(one, 0);
            awaitAllEntered(other, 0);

            one.rank(1).kill();

            awaitEntered(1, 1, one.rank(0));
            assertEndsWell(one.rank(0));
            assertThat(other.rank(0).lines()).noneMatch(line -> line.startsWith("STOPPED"));
            other.rank(0).kill();
            assertEndsWell(other.rank(1));
        }
    }

    private ProcessJob startAs(String id) throws Exception {
        return ProcessJob.builder(RankProgram.class, Files.createDirectories(directory.resolve(id)))
                .worldSize(2)
                .environment("RESILIENCY_JOB_ID", id)
                .javaOptions("-Diterations=1", "-DstorePort=" + server.port())
                .start();
    }
}

package dev.resiliency.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A training whose ranks are killed and replaced ends with the weights of one without faults, to the bit: the last
 * checkpoint is the same file. A reserve steps in, so that the number of active ranks, on which the order of the sums
 * depends, stays the same.
 */
class FaultyTrainingIT {
    private static final int ACTIVE = 3;
    private static final int RANKS = 4;
    private static final int STEPS_PER_KILL = 70;
    private static final int ONE_IN_SO_MANY_IS_TWO = 4;

    @TempDir
    private Path directory;

    @Tag("full")
    @Test
    void threeKillsLeaveNoTraceInTheWeights() throws Exception {
        compare(3, 1);
    }

    @Tag("full")
    @Test
    void twentyKillsLeaveNoTraceInTheWeights() throws Exception {
        compare(20, System.nanoTime());
    }

    private void compare(int kills, long seed) throws Exception {
        int steps = (kills + 2) * STEPS_PER_KILL;
        Path quiet = Files.createDirectory(directory.resolve("quiet"));
        Path faulty = Files.createDirectory(directory.resolve("faulty"));

        run(quiet, steps, (job, started) -> {});
        run(faulty, steps, (job, started) -> kill(job, started, kills, new Random(seed)));

        assertThat(checkpoint(faulty))
                .as("the last checkpoint, with seed %d", seed)
                .hasSameBinaryContentAs(checkpoint(quiet));
        assertThat(new CheckpointFile(checkpoint(faulty)).step()).isEqualTo(steps);
    }

    private static Path checkpoint(Path directory) {
        return directory.resolve("checkpoint");
    }

    private interface Faults {
        /** Strikes, and adds the processes that it starts. */
        void strike(ProcessJob job, List<RankProcess> started) throws IOException, InterruptedException;
    }

    private static void run(Path directory, int steps, Faults faults) throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                ProcessJob job = ProcessJob.builder(FaultyTrainingProgram.class, directory)
                        .worldSize(RANKS)
                        .arguments(
                                Integer.toString(server.port()),
                                Integer.toString(ACTIVE),
                                Integer.toString(steps),
                                checkpoint(directory).toString())
                        .limit(Duration.ofSeconds(90))
                        .start()) {
            List<RankProcess> started = new ArrayList<>(job.ranks());
            faults.strike(job, started);
            for (RankProcess rank : job.ranks()) {
                assertThat(rank.awaitExit()).as("exit of rank %d", rank.rank()).isZero();
                assertThat(rank.lines()).endsWith("FINISHED");
            }
            assertCheckpointWasReadAtTheStartOnly(started);
        }
    }

    private static void assertCheckpointWasReadAtTheStartOnly(List<RankProcess> processes) {
        List<String> recoveries = processes.stream()
                .flatMap(rank -> rank.lines().stream())
                .filter(line -> line.startsWith("RECOVERED"))
                .toList();
        assertThat(recoveries).filteredOn(line -> line.contains("CHECKPOINT")).hasSize(ACTIVE);
        assertThat(recoveries).allMatch(line -> line.endsWith(", 0 lost"));
    }

    /** Each time the training has made some steps, one or two processes are killed and started again. */
    private static void kill(ProcessJob job, List<RankProcess> started, int kills, Random random)
            throws IOException, InterruptedException {
        int killed = 0;
        int step = 0;
        while (killed < kills) {
            step = awaitStep(job, Math.max(step, killed * STEPS_PER_KILL) + 1 + random.nextInt(STEPS_PER_KILL));
            List<RankProcess> victims = new ArrayList<>(job.ranks());
            Collections.shuffle(victims, random);
            int count = random.nextInt(ONE_IN_SO_MANY_IS_TWO) == 0 ? Math.min(2, kills - killed) : 1;
            victims.subList(0, count).forEach(RankProcess::kill);
            for (RankProcess victim : victims.subList(0, count)) {
                started.add(job.start(victim.rank()));
            }
            killed += count;
        }
    }

    /** Waits until some rank has completed this step; returns the step that it has completed then. */
    private static int awaitStep(ProcessJob job, int step) throws InterruptedException {
        job.rank(0).awaitThat("completes step " + step, () -> latestStep(job) >= step);
        return latestStep(job);
    }

    private static int latestStep(ProcessJob job) {
        return job.ranks().stream()
                .flatMap(rank -> rank.lines().stream())
                .filter(line -> line.startsWith("STEP "))
                .mapToInt(line -> Integer.parseInt(line.substring("STEP ".length())))
                .max()
                .orElse(0);
    }
}

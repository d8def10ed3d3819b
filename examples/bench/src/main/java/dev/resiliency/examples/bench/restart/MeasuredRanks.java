package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.job.FreePort;
import dev.resiliency.examples.job.RankLaunch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a measured job, numbered in the order of their start, and their marks. Confined to one thread, except
 * the queue that the threads of the processes fill.
 */
final class MeasuredRanks implements AutoCloseable {
    /** After its start a JVM is still busy compiling and warming up; faults are rare in the first seconds of a job. */
    private static final Duration SETTLING_LIMIT = Duration.ofMinutes(1);

    private static final Duration SETTLING_LOOK = Duration.ofSeconds(1);
    private final int ranks;
    private final int masterPort = FreePort.find();
    private final @Nullable JobStore store;
    private final Path directory;
    private final String heap;
    private final String training;
    private final List<MeasuredRank> started = new ArrayList<>();
    private final List<MeasuredRank> ended = new ArrayList<>();
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final MarkBoard board = new MarkBoard();

    /** The server of a store that outlives the processes, and the id of the job in it. */
    record JobStore(int port, String jobId) {}

    /**
     * Has no processes yet.
     *
     * @param store null if rank 0 hosts it
     * @param directory of the logs
     * @param heap the maximum heap of each process
     * @param training the name of what they train
     */
    MeasuredRanks(int ranks, @Nullable JobStore store, Path directory, String heap, String training)
            throws IOException {
        this.ranks = ranks;
        this.store = store;
        this.directory = directory;
        this.heap = heap;
        this.training = training;
    }

    /** Starts a process of this rank with the JVM's defaults except for the heap; returns its number. */
    int start(int rank, List<String> arguments) throws IOException {
        int number = started.size();
        RankLaunch launch = RankLaunch.of(rank, ranks, masterPort, directory)
                .named(number < ranks ? "rank-" + rank : "rank-" + rank + "-process-" + number)
                .withJvmOptions(List.of("-Xmx" + heap, "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0"))
                .with("GLOO_SOCKET_IFNAME", "lo")
                .with("OMP_NUM_THREADS", "1")
                .withLibrary(Trainings.library(training));
        List<String> program = new ArrayList<>(List.of(RestartRankCommand.class.getName(), "--training=" + training));
        program.addAll(arguments);
        if (store != null) {
            launch = launch.with("RESILIENCY_JOB_ID", store.jobId());
            program.add("--store-port=" + store.port());
        }
        MeasuredRank process = MeasuredRank.start(launch, program);
        started.add(process);
        process.follow(mark -> events.add(() -> board.apply(number, mark)), () -> events.add(() -> ended.add(process)));
        return number;
    }

    MeasuredRank process(int number) {
        return started.get(number);
    }

    /** Returns whether this process has ended, as far as its events have been handled. */
    boolean hasEnded(int number) {
        return ended.contains(started.get(number));
    }

    MarkBoard board() {
        return board;
    }

    /** Handles events until the condition holds. */
    void await(String what, Duration limit, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            Runnable event = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (event == null) {
                throw new IllegalStateException("not within %d s: %s".formatted(limit.toSeconds(), what));
            }
            event.run();
        }
    }

    /** Waits until the processes have warmed up. */
    void awaitSettled() throws InterruptedException {
        long deadline = System.nanoTime() + SETTLING_LIMIT.toNanos();
        Duration settled = Trainings.settled(training);
        Duration before = processorTime();
        while (System.nanoTime() < deadline) {
            Thread.sleep(SETTLING_LOOK.toMillis());
            Duration now = processorTime();
            if (now.minus(before).compareTo(settled) < 0) {
                return;
            }
            before = now;
        }
        throw new IllegalStateException("the ranks are still busy after " + SETTLING_LIMIT + "; is the machine busy?");
    }

    private Duration processorTime() {
        return started.stream().map(MeasuredRank::processorTime).reduce(Duration.ZERO, Duration::plus);
    }

    /** Makes the function return on all processes that live, and waits until they have exited with success. */
    void finish() throws IOException, InterruptedException {
        List<MeasuredRank> living =
                started.stream().filter(rank -> !ended.contains(rank)).toList();
        for (MeasuredRank rank : living) {
            rank.tell(RestartRankCommand.FINISH);
        }
        for (MeasuredRank rank : living) {
            rank.awaitSuccess();
        }
    }

    /** Kills all of them. */
    @Override
    public void close() {
        started.forEach(MeasuredRank::close);
    }
}

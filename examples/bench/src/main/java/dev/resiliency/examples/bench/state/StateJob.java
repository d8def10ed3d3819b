package dev.resiliency.examples.bench.state;

import dev.resiliency.examples.job.JobProcess;
import dev.resiliency.examples.job.RankLaunch;
import dev.resiliency.examples.job.WorkDirectory;
import dev.resiliency.store.Store;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The processes of a measured job, numbered in the order of their start, and what they report. It needs all its ranks: when
 * one is lost, the others wait for another. Confined to one thread, except the queue that the threads of the processes fill.
 */
final class StateJob implements AutoCloseable {
    private static final long STORE_BYTES = 16 << 20;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final int ranks;
    private final List<String> program;
    private final WorkDirectory directory = new WorkDirectory("resiliency-bench-");
    private final TcpStoreServer store;
    private final List<JobProcess> processes = new ArrayList<>();
    private final List<Report> reports = new ArrayList<>();
    private final List<JobProcess> ended = new ArrayList<>();
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();

    /** What a process has reported. */
    private record Report(int process, StateMark mark) {}

    /** Has no processes yet. */
    StateJob(int ranks, MeasuredState measured) throws IOException, InterruptedException {
        this.ranks = ranks;
        this.store = TcpStoreServer.builder()
                .limit(Store.Limit.TOTAL_BYTES, STORE_BYTES)
                .start();
        this.program = new ArrayList<>(List.of(
                StateRankCommand.class.getName(),
                "--store-port=" + store.port(),
                "--ranks=" + ranks,
                "--bytes=" + measured.bytes(),
                "--step-millis=" + measured.stepMillis(),
                "--checkpoint-interval=" + measured.checkpointInterval(),
                "--checkpoint=" + directory.path().resolve("checkpoint")));
        if (measured.isLive()) {
            program.add("--live");
        }
    }

    /**
     * What the ranks train.
     *
     * @param bytes the size of the state
     * @param isLive whether it is recovered from memory
     */
    record MeasuredState(int bytes, long stepMillis, int checkpointInterval, boolean isLive) {}

    /** Starts all ranks, and waits until each has completed a step. */
    void start() throws IOException, InterruptedException {
        for (int rank = 0; rank < ranks; rank++) {
            start(rank);
        }
        await(
                "all ranks train",
                () -> completed(0).map(Report::process).distinct().count() == ranks);
    }

    /** Starts a process of this rank; returns its number. */
    int start(int rank) throws IOException {
        int number = processes.size();
        RankLaunch launch = RankLaunch.of(rank, ranks, store.port(), directory.path())
                .named("process-" + number)
                .withJvmOptions(List.of("-Xmx256m", "-XX:MaxDirectMemorySize=4g"));
        JobProcess process = JobProcess.start(launch, program);
        processes.add(process);
        process.follow(
                line -> {
                    StateMark mark = StateMark.parse(line);
                    events.add(() -> reports.add(new Report(number, mark)));
                },
                exitCode -> events.add(() -> ended.add(process)));
        return number;
    }

    /** Kills processes, and waits until they have ended; returns the time just before. */
    long kill(List<Integer> numbers) throws InterruptedException {
        long moment = System.nanoTime();
        numbers.forEach(number -> processes.get(number).rememberChildren());
        numbers.forEach(number -> processes.get(number).kill());
        await(
                "the killed processes end",
                () -> numbers.stream().allMatch(number -> ended.contains(processes.get(number))));
        return moment;
    }

    /** Waits until a process is ready to join. */
    void awaitReady(int number) throws InterruptedException {
        await(
                "the spare is ready",
                () -> reports.stream()
                        .anyMatch(report -> report.process() == number && report.mark() instanceof StateMark.Ready));
    }

    /** Waits until all ranks have completed this step in an iteration after the first; returns when the last one had. */
    long awaitAllCompleted(long step) throws InterruptedException {
        await(
                "all ranks complete step " + step,
                () -> completedAfterRestart(step).count() >= ranks);
        return completedAfterRestart(step)
                .mapToLong(StateMark.Completed::nanos)
                .max()
                .orElseThrow();
    }

    private Stream<StateMark.Completed> completedAfterRestart(long step) {
        return marks(StateMark.Completed.class).filter(mark -> mark.iteration() > 0 && mark.step() == step);
    }

    /** Waits until so many steps have been made since a checkpoint. */
    void awaitStepAfterCheckpoint(int interval, int stepsSince) throws InterruptedException {
        long target = latestStepOf(0) / interval * interval + interval + stepsSince;
        await("step " + target, () -> latestStepOf(0) >= target);
    }

    /** Returns the last step that any rank has completed in this iteration. */
    long latestStepOf(int iteration) {
        return marks(StateMark.Completed.class)
                .filter(mark -> mark.iteration() == iteration)
                .mapToLong(StateMark.Completed::step)
                .max()
                .orElse(0);
    }

    private Stream<Report> completed(int iteration) {
        return reports.stream()
                .filter(report -> report.mark() instanceof StateMark.Completed mark && mark.iteration() == iteration);
    }

    <M extends StateMark> Stream<M> marks(Class<M> type) {
        return reports.stream().map(Report::mark).filter(type::isInstance).map(type::cast);
    }

    /** Handles events until the condition holds. */
    void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            Runnable event = events.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (event == null) {
                directory.keep();
                throw new IllegalStateException(
                        "not within %d s: %s; logs: %s".formatted(LIMIT.toSeconds(), what, directory.path()));
            }
            event.run();
        }
    }

    /** Lets all processes that live finish. */
    void finish() throws InterruptedException {
        processes.forEach(process -> process.tell(StateRankCommand.FINISH));
        await("all processes exit", () -> ended.size() == processes.size());
    }

    /** Kills what lives, and deletes all files. */
    @Override
    public void close() throws IOException {
        processes.forEach(process -> process.end(false));
        processes.forEach(JobProcess::awaitEnd);
        store.close();
        directory.close();
    }
}

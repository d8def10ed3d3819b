package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.measure.Inbox;
import dev.resiliency.examples.job.JobProcess;
import dev.resiliency.examples.job.RankLaunch;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a measured job, numbered in the order of their start, and their marks. Confined to one thread, except
 * the inbox that the threads of the processes fill.
 */
final class MeasuredRanks implements AutoCloseable {
    /** After its start a JVM is still busy compiling and warming up; faults are rare in the first seconds of a job. */
    private static final Duration SETTLING_LIMIT = Duration.ofMinutes(1);

    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private final int ranks;
    private final int masterPort = ProcessJob.freePort();
    private final @Nullable JobStore store;
    private final Path directory;
    private final String heap;
    private final String training;
    private final List<JobProcess> started = new ArrayList<>();
    private final Set<Integer> gone = new HashSet<>();
    private final Map<Integer, Integer> exitCodes = new HashMap<>(); // of those whose output has been read, too
    private final Inbox inbox = new Inbox();
    private final Mark.Board board = new Mark.Board();

    /** The port of a store that outlives the processes, and the id of the job in it. */
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
    @SuppressWarnings("FutureReturnValueIgnored") // noting the end does not fail
    int start(int rank, List<String> arguments) throws IOException {
        int number = started.size();
        RankLaunch launch = RankLaunch.of(rank, ranks, masterPort, directory)
                .named(number < ranks ? "rank-" + rank : "rank-" + rank + "-process-" + number)
                .withJvmOptions(List.of(
                        "-Xmx" + heap, "-XX:MaxDirectMemorySize=4g", "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0"))
                .with("GLOO_SOCKET_IFNAME", "lo")
                .with("OMP_NUM_THREADS", "1")
                .withLibrary(Trainings.library(training));
        List<String> program = new ArrayList<>(List.of(RestartRankCommand.class.getName(), "--training=" + training));
        program.addAll(arguments);
        if (store != null) {
            launch = launch.with("RESILIENCY_JOB_ID", store.jobId());
            program.add("--store-port=" + store.port());
        }
        JobProcess process = JobProcess.start(launch, program);
        started.add(process);
        String name = launch.name();
        process.follow(line -> read(number, name, line), code -> inbox.add(() -> exitCodes.put(number, code)));
        ProcessHandle.of(process.pid()) // noted at once, though a child may still hold the output open
                .ifPresentOrElse(
                        handle -> handle.onExit().thenRun(() -> inbox.add(() -> gone.add(number))),
                        () -> gone.add(number));
        return number;
    }

    private void read(int number, String name, String line) {
        if (line.startsWith("[Gloo]")) {
            return; // libtorch writes which rank is connected
        }
        Mark mark;
        try {
            mark = Mark.parse(line);
        } catch (IllegalArgumentException noMark) {
            System.err.println(name + ": " + line); // a message of the JVM
            return;
        }
        inbox.add(() -> board.apply(number, mark));
    }

    JobProcess process(int number) {
        return started.get(number);
    }

    /** Returns whether this process has ended, as far as its events have been handled. */
    boolean hasEnded(int number) {
        return gone.contains(number);
    }

    Mark.Board board() {
        return board;
    }

    /** Handles events until the condition holds. */
    void await(String what, Duration limit, BooleanSupplier condition) throws InterruptedException {
        inbox.require(what, limit, condition);
    }

    /** Waits until the processes have warmed up. */
    void awaitSettled() throws InterruptedException {
        inbox.requireSettled(this::processorTime, Trainings.settled(training), SETTLING_LIMIT);
    }

    private Duration processorTime() {
        return started.stream()
                .flatMap(process -> ProcessHandle.of(process.pid()).stream())
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Makes the function return on all processes that live, and waits until they have exited with success. */
    void finish() throws InterruptedException {
        Set<Integer> living = IntStream.range(0, started.size())
                .filter(number -> !gone.contains(number))
                .boxed()
                .collect(Collectors.toSet());
        living.forEach(number -> started.get(number).tell(RestartRankCommand.FINISH));
        await("all processes exit", END_LIMIT, () -> exitCodes.keySet().containsAll(living));
        living.forEach(number -> {
            if (exitCodes.getOrDefault(number, 0) != 0) {
                throw new IllegalStateException("a process exited with code " + exitCodes.get(number));
            }
        });
    }

    /** Kills all of them. */
    @Override
    public void close() {
        started.forEach(process -> process.end(true));
    }
}

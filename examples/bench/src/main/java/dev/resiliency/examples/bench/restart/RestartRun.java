package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.measure.Inbox;
import dev.resiliency.examples.bench.restart.Conditions.BenchFault;
import dev.resiliency.examples.bench.restart.Conditions.BenchProfile;
import dev.resiliency.examples.bench.restart.Conditions.Replacement;
import dev.resiliency.examples.bench.restart.Mark.Kind;
import dev.resiliency.examples.job.JobProcess;
import dev.resiliency.examples.job.RankLaunch;
import dev.resiliency.store.tcp.TcpStoreServer;
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
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A new job, one fault, its first restart, since in production most restarts are the first of their process; and then
 * the replacement of the rank that was lost. Its processes are numbered in the order of their start. Confined to one thread,
 * except the inbox that the threads of the processes fill.
 */
final class RestartRun implements AutoCloseable {
    /** Not rank 0, which may host the store. */
    private static final int VICTIM = 1;

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration RESTART_LIMIT = Duration.ofSeconds(30);
    /** After its start a JVM is still busy compiling and warming up; faults are rare in the first seconds of a job. */
    private static final Duration SETTLING_LIMIT = Duration.ofMinutes(1);

    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private final int ranks;
    private final String training;
    private final BenchFault fault;
    private final BenchProfile profile;
    private final Replacement replacement;
    private final @Nullable TcpStoreServer store;
    private final Path directory;
    private final String heap;
    private final String jobId = UUID.randomUUID().toString();
    private final int masterPort = ProcessJob.freePort();
    private final List<JobProcess> started = new ArrayList<>();
    private final Set<Integer> gone = new HashSet<>();
    private final Map<Integer, Integer> exitCodes = new HashMap<>(); // of those whose output has been read, too
    private final Inbox inbox = new Inbox();
    private final Mark.Board board = new Mark.Board();
    private Measurement.@Nullable Launch launch;

    /**
     * Has no processes yet.
     *
     * @param training the name of what they train
     * @param store null if rank 0 hosts it
     * @param directory of the logs
     * @param heap the maximum heap of each process
     */
    RestartRun(
            int ranks,
            String training,
            BenchFault fault,
            BenchProfile profile,
            Replacement replacement,
            @Nullable TcpStoreServer store,
            Path directory,
            String heap)
            throws IOException {
        this.ranks = ranks;
        this.training = training;
        this.fault = fault;
        this.profile = profile;
        this.replacement = replacement;
        this.store = store;
        this.directory = directory;
        this.heap = heap;
    }

    /** Runs the job. */
    RestartTimes measure() throws IOException, InterruptedException {
        for (int rank = 0; rank < ranks; rank++) {
            start(rank);
        }
        Set<Integer> all = IntStream.range(0, ranks).boxed().collect(Collectors.toSet());
        inbox.require("all ranks have done a step", START_LIMIT, () -> board.haveStepped(0, all));
        if (replacement == Replacement.SPARE) {
            int spare = start(VICTIM);
            inbox.require("the spare is monitored", START_LIMIT, () -> board.hasReached(Kind.MONITORED, spare));
        }
        inbox.requireSettled(this::processorTime, Trainings.settled(training), SETTLING_LIMIT);
        inject(started.get(VICTIM));
        int survivors = fault.isSurvived() ? ranks : ranks - 1;
        inbox.require(
                "all survivors have done a step again",
                profile.silence(fault).plus(RESTART_LIMIT),
                () -> board.faultedAt().isPresent()
                        && board.of(Kind.RESTARTED, 0).size() == survivors
                        && board.haveStepped(1, board.of(Kind.RESTARTED, 0).keySet()));
        if (!fault.isSurvived()) {
            inbox.require("the lost rank exits", RESTART_LIMIT, () -> gone.contains(VICTIM));
            replace();
        }
        finish();
        return new Measurement(board, ranks, profile.silence(fault), launch).times();
    }

    /** Starts a process of this rank with the JVM's defaults except for the heap; returns its number. */
    @SuppressWarnings("FutureReturnValueIgnored") // noting the end does not fail
    private int start(int rank) throws IOException {
        int number = started.size();
        RankLaunch launch = RankLaunch.of(rank, ranks, masterPort, directory)
                .named(number < ranks ? "rank-" + rank : "rank-" + rank + "-process-" + number)
                .withJvmOptions(List.of(
                        "-Xmx" + heap, "-XX:MaxDirectMemorySize=4g", "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0"))
                .with("GLOO_SOCKET_IFNAME", "lo")
                .with("OMP_NUM_THREADS", "1")
                .withLibrary(Trainings.library(training));
        List<String> program = new ArrayList<>(List.of(
                RestartRankCommand.class.getName(),
                "--training=" + training,
                "--fault=" + fault,
                "--profile=" + profile));
        if (store != null) {
            launch = launch.with("RESILIENCY_JOB_ID", jobId);
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

    private void inject(JobProcess victim) {
        if (fault == BenchFault.KILL) {
            board.apply(VICTIM, Mark.now(Kind.FAULT, 0));
            victim.kill();
        } else {
            victim.tell(RestartRankCommand.FAIL);
        }
    }

    /** Does nothing if there is no replacement. */
    private void replace() throws IOException, InterruptedException {
        if (replacement == Replacement.FRESH) {
            long now = System.nanoTime();
            launch = new Measurement.Launch(start(VICTIM), now);
        }
        if (replacement != Replacement.NONE) {
            inbox.require(
                    "as many ranks run as before, in one iteration",
                    START_LIMIT,
                    () -> board.full(0, ranks).isPresent()
                            && board.of(Kind.FIRST_STEP, board.full(0, ranks).getAsInt())
                                            .size()
                                    == ranks);
        }
        if (replacement == Replacement.SPARE && board.full(0, ranks).orElseThrow() != 1) {
            throw new IllegalStateException("the spare has not stepped in with the first restart");
        }
    }

    private Duration processorTime() {
        return started.stream()
                .flatMap(process -> ProcessHandle.of(process.pid()).stream())
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Makes the function return on all processes that live, and waits until they have exited with success. */
    private void finish() throws InterruptedException {
        Set<Integer> living = IntStream.range(0, started.size())
                .filter(number -> !gone.contains(number))
                .boxed()
                .collect(Collectors.toSet());
        living.forEach(number -> started.get(number).tell(RestartRankCommand.FINISH));
        inbox.require("all processes exit", END_LIMIT, () -> exitCodes.keySet().containsAll(living));
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

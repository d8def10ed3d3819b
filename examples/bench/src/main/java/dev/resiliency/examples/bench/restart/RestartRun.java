package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.restart.Case.Replacement;
import dev.resiliency.examples.bench.restart.Mark.Kind;
import dev.resiliency.examples.bench.restart.MeasuredFunction.Order;
import dev.resiliency.examples.job.ProcessWatch;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A new job, one fault, its first restart, since in production most restarts are the first of their process; and then
 * the replacement of the rank that was lost. Its processes are numbered in the order of their start. Confined to one thread.
 */
final class RestartRun {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration RESTART_LIMIT = Duration.ofSeconds(30);
    /** After its start a JVM is still busy compiling and warming up; faults are rare in the first seconds of a job. */
    private static final Duration SETTLING_LIMIT = Duration.ofMinutes(1);

    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private final Case measured;
    private final Case.Fault fault;
    private final int ranks;
    private final Path directory;
    private final ProcessWatch processes = new ProcessWatch();
    private final List<RankProcess> started = new ArrayList<>();
    private final Map<Integer, Integer> exitCodes = new HashMap<>();
    private final Mark.Board board = new Mark.Board();

    /** Creates a run whose logs are in this directory. */
    RestartRun(Case measured, Path directory) {
        this.measured = measured;
        this.fault = measured.fault();
        this.ranks = measured.ranks();
        this.directory = directory;
    }

    /** Runs the job, and leaves no process behind. */
    RestartTimes measure() throws IOException, InterruptedException {
        try (processes) {
            ProcessJob job = processes.start(settings());
            job.ranks().forEach(this::follow);
            Set<Integer> all = IntStream.range(0, ranks).boxed().collect(Collectors.toSet());
            processes.require("all ranks have done a step", START_LIMIT, () -> board.haveStepped(0, all));
            if (measured.replace() == Replacement.SPARE) {
                follow(job.start(fault.victim()));
            }
            processes.requireSettled(Trainings.settled(measured.training()), SETTLING_LIMIT);
            inject(started.get(fault.victim()));
            int survivors = fault.isSurvived() ? ranks : ranks - 1;
            processes.require(
                    "all survivors have done a step again",
                    measured.silence().plus(RESTART_LIMIT),
                    () -> board.faultedAt().isPresent()
                            && board.of(Kind.RESTARTED, 0).size() == survivors
                            && board.haveStepped(1, board.of(Kind.RESTARTED, 0).keySet()));
            if (!fault.isSurvived()) {
                processes.require("the lost rank exits", RESTART_LIMIT, () -> exitCodes.containsKey(fault.victim()));
                replace(job);
            }
            finish();
            return RestartTimes.of(board, ranks, measured.silence());
        }
    }

    private ProcessJob.Builder settings() throws IOException {
        ProcessJob.Builder settings = ProcessJob.builder(RestartRankCommand.class, directory)
                .worldSize(ranks)
                // with the JVM's defaults but for the heap
                .javaOptions("-Xmx256m", "-XX:-UseSerialGC", "-XX:TieredStopAtLevel=4", "-XX:MaxDirectMemorySize=4g")
                .javaOptions("-XX:-UsePerfData", "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0")
                .environment("GLOO_SOCKET_IFNAME", "lo")
                .environment("OMP_NUM_THREADS", "1")
                .arguments("--training=" + measured.training(), "--fault=" + fault, "--profile=" + measured.profile());
        String library = Trainings.library(measured.training());
        return library.isEmpty()
                ? settings
                : settings.classPath(System.getProperty("java.class.path") + File.pathSeparator + library);
    }

    private void follow(RankProcess process) {
        int number = started.size();
        started.add(process);
        processes.follow(process, line -> read(number, line), code -> exitCodes.put(number, code));
    }

    private void read(int number, String line) {
        if (line.startsWith("[Gloo]")) {
            return; // libtorch writes which rank is connected
        }
        try {
            board.apply(number, Mark.parse(line));
        } catch (IllegalArgumentException noMark) {
            System.err.println("process " + number + ": " + line); // a message of the JVM
        }
    }

    private void inject(RankProcess victim) throws IOException {
        if (fault.isSignal()) {
            board.apply(fault.victim(), new Mark(Kind.FAULT, 0, System.nanoTime(), Map.of()));
            victim.kill();
        } else {
            victim.send(Order.FAIL.name());
        }
    }

    /** Does nothing if there is no replacement. */
    private void replace(ProcessJob job) throws IOException, InterruptedException {
        if (measured.replace() == Replacement.NONE) {
            return;
        }
        if (measured.replace() == Replacement.FRESH) {
            follow(job.start(fault.victim()));
        }
        processes.require("as many ranks run as before, in one iteration", START_LIMIT, () -> {
            OptionalInt full = board.full(ranks);
            return full.isPresent()
                    && board.of(Kind.FIRST_STEP, full.getAsInt()).size() == ranks;
        });
        if (measured.replace() == Replacement.SPARE && board.full(ranks).orElseThrow() != 1) {
            throw new IllegalStateException("the spare has not stepped in with the first restart");
        }
    }

    /** Makes the function return on all processes that live, and waits until they have exited with success. */
    private void finish() throws IOException, InterruptedException {
        List<Integer> living = IntStream.range(0, started.size())
                .filter(number -> !exitCodes.containsKey(number))
                .boxed()
                .toList();
        for (int number : living) {
            started.get(number).send(Order.FINISH.name());
        }
        processes.require(
                "all processes exit", END_LIMIT, () -> exitCodes.keySet().containsAll(living));
        for (int number : living) {
            if (exitCodes.getOrDefault(number, 0) != 0) {
                throw new IllegalStateException("a process exited with code " + exitCodes.get(number));
            }
        }
    }
}

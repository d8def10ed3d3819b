package dev.resiliency.examples.demo;

import dev.resiliency.examples.job.FreePort;
import dev.resiliency.examples.job.JobProcess;
import dev.resiliency.examples.job.WorkDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs one job: starts the processes, follows them, and leaves none behind. Every event goes through one queue and is
 * handled by the thread that called {@link #run}.
 */
final class Demo {
    private static final Duration FRAME = Duration.ofMillis(100);
    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(20);

    private final Scenario scenario;
    private final Display display;
    private final Watchdog watchdog;
    private final Scoreboard board;
    private final List<JobProcess> processes = new ArrayList<>();
    private final BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean cancelled;

    Demo(Scenario scenario, Display display, Duration patience) {
        this.scenario = scenario;
        this.display = display;
        watchdog = new Watchdog(patience);
        board = new Scoreboard(scenario);
    }

    /** Runs the job to its end; returns nothing if it was cancelled. */
    Optional<DemoOutcome> run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (WorkDirectory directory = new WorkDirectory("resiliency-demo-")) {
            try {
                startRanks(directory.path());
                watch(start);
            } finally {
                for (int rank = 0; rank < processes.size(); rank++) {
                    processes.get(rank).end(board.ranks().get(rank).standsStill());
                }
                processes.forEach(JobProcess::awaitEnd);
            }
            return cancelled ? Optional.empty() : Optional.of(judge(directory, since(start)));
        } finally {
            over.countDown();
        }
    }

    private void watch(long start) throws InterruptedException {
        while (!board.isOver()) {
            Runnable event = inbox.poll(FRAME.toMillis(), TimeUnit.MILLISECONDS);
            if (cancelled) {
                return; // the same Ctrl-C ends the ranks
            }
            handle(event);
            display.update(board, since(start));
            if (watchdog.standsStill(board, System.nanoTime())) {
                board.problem(watchdog.complaint(board));
                return;
            }
        }
    }

    private DemoOutcome judge(WorkDirectory directory, Duration wall) {
        List<String> problems = Verdict.problems(board);
        if (!problems.isEmpty()) {
            directory.keep();
        }
        return new DemoOutcome(DemoReport.of(board, wall), problems, directory.path());
    }

    /** Ends the job from another thread, and waits until no process is left; does nothing if it is over. */
    void cancel() {
        cancelled = true;
        try {
            over.await(CANCEL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void startRanks(Path directory) throws IOException {
        int masterPort = FreePort.find();
        List<String> program = program(directory);
        for (int i = 0; i < scenario.ranks(); i++) {
            int rank = i;
            JobProcess process = JobProcess.start(rank, scenario.ranks(), masterPort, directory, program);
            processes.add(process);
            process.follow(line -> read(rank, line), exitCode -> inbox.add(() -> board.ended(rank, exitCode)));
        }
    }

    private List<String> program(Path directory) {
        List<String> program = new ArrayList<>(
                List.of(RankCommand.class.getName(), "--steps=" + scenario.steps(), "--directory=" + directory));
        if (scenario.hasSpares()) {
            program.add("--active=" + scenario.active());
        }
        scenario.faults().forEach(fault -> program.add("--fault=" + fault));
        return program;
    }

    /** Called by the thread that reads what the rank prints. */
    private void read(int rank, String line) {
        DemoEvent event;
        try {
            event = DemoEvent.parse(line);
        } catch (IllegalArgumentException e) {
            inbox.add(() -> board.unexpectedLine(rank, line));
            return;
        }
        inbox.add(() -> apply(rank, event));
    }

    private void apply(int rank, DemoEvent event) {
        processes.get(rank).rememberChildren();
        board.apply(rank, event);
    }

    private void handle(@Nullable Runnable event) {
        for (Runnable next = event; next != null; next = inbox.poll()) {
            next.run();
        }
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}

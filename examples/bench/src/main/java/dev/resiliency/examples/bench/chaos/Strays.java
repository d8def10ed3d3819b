package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import dev.resiliency.examples.job.JobProcess;
import dev.resiliency.examples.job.RankLaunch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts processes that do not belong to the job, a few at a time, and checks that each is turned away, never calls its
 * function, and writes no file. Confined to the thread of the job.
 */
final class Strays implements AutoCloseable {
    /** So that the ranks, whose limits are tight, keep their processors and the memory. */
    private static final int MOST_AT_ONCE = 3;

    private static final int MOST_WAITING = 8;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final JobControl control;
    private final JobSettings settings;
    private final JobBoard board;
    private final Timeline timeline;
    private final int port;
    private final Deque<Stray> waiting = new ArrayDeque<>();
    private final List<Running> running = new ArrayList<>();
    private int started;

    Strays(JobControl control, int port) {
        this.control = control;
        this.settings = control.settings;
        this.board = control.board;
        this.timeline = control.timeline;
        this.port = port;
    }

    /** A stray whose process has not been judged yet. */
    private static final class Running {
        private final Stray stray;
        private final Path directory;
        private final JobProcess process;
        private final long deadline = System.nanoTime() + LIMIT.toNanos();
        private ChaosEvent.@Nullable Left left;
        private boolean completed;

        Running(Stray stray, Path directory, JobProcess process) {
            this.stray = stray;
            this.directory = directory;
            this.process = process;
        }
    }

    void add(List<Stray> strays) {
        waiting.addAll(strays);
    }

    /** Returns whether so many wait for their start that no more should. */
    boolean isBehind() {
        return waiting.size() >= MOST_WAITING;
    }

    /** Returns whether all have been refused. */
    boolean areOver() {
        return waiting.isEmpty() && running.isEmpty();
    }

    /** Starts the next ones, and notices those that stay. Must be called now and then. */
    void step() {
        if (isMoot()) {
            close();
        }
        while (!waiting.isEmpty() && running.size() < MOST_AT_ONCE) {
            start(waiting.remove());
        }
        for (Running each : List.copyOf(running)) {
            if (System.nanoTime() - each.deadline > 0) {
                end(
                        each,
                        "%s has neither been turned away nor exited within %d s"
                                .formatted(each.stray, LIMIT.toSeconds()));
            }
        }
    }

    private void start(Stray stray) {
        Path own = control.directory.resolve("stray-" + ++started);
        timeline.add("starts " + stray + " in " + own.getFileName());
        JobProcess process;
        try {
            Files.createDirectory(own);
            process = JobProcess.startInBackground(
                    RankLaunch.of(stray.rank(), stray.worldSize(), port, own)
                            .with("RESILIENCY_JOB_ID", settings.jobId())
                            .withJvmOptionsForMany(),
                    JobProcesses.program(settings, own, 0, port));
        } catch (IOException e) {
            throw new UncheckedIOException(stray + " cannot be started", e);
        }
        Running each = new Running(stray, own, process);
        running.add(each);
        process.follow(
                line -> control.inbox.add(() -> read(each, line)), code -> control.inbox.add(() -> ended(each, code)));
    }

    private void read(Running each, String line) {
        ChaosEvent event;
        try {
            event = ChaosEvent.parse(line);
        } catch (IllegalArgumentException unexpected) {
            timeline.add(each.stray + " prints: " + line);
            return;
        }
        timeline.add(each.stray + " " + event.describe());
        if (event instanceof ChaosEvent.Started || event instanceof ChaosEvent.Entered) {
            end(each, "%s has joined the job: %s".formatted(each.stray, event.describe()));
        } else if (event instanceof ChaosEvent.Left left) {
            each.left = left;
            each.process.tell(Orders.close());
        } else if (event instanceof ChaosEvent.Completed) {
            each.completed = true;
            each.process.tell(Orders.close());
        } else if (event instanceof ChaosEvent.LeftBehind leftovers
                && !leftovers.what().isEmpty()) {
            end(each, "%s left behind %s".formatted(each.stray, leftovers.what()));
        }
    }

    private void ended(Running each, int exitCode) {
        if (!running.contains(each)) {
            return;
        }
        timeline.add("%s exits with code %d".formatted(each.stray, exitCode));
        boolean mayBeDead = each.stray.rank() < settings.ranks() && board.process(each.stray.rank()).deadly != null;
        String wrong = each.stray.judge(settings, each.left, each.completed, mayBeDead);
        List<String> files = filesLeft(each.directory);
        if (wrong == null && !files.isEmpty()) {
            wrong = "%s has written %s".formatted(each.stray, files);
        }
        end(each, wrong);
    }

    private void end(Running each, @Nullable String wrong) {
        if (!running.remove(each)) {
            return;
        }
        each.process.end(true);
        if (isMoot()) {
            return;
        }
        if (wrong == null) {
            control.tally.add(Count.PROCESSES_REFUSED, 1);
        } else {
            board.violation(wrong);
        }
    }

    /** Once the host of the store is lost, its port is free for another job. */
    private boolean isMoot() {
        return board.mayStoreBeLost();
    }

    /** Returns what it has written, except its log. */
    private static List<String> filesLeft(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(".log"))
                    .toList();
        } catch (IOException e) {
            return List.of("files that cannot be listed: " + e);
        }
    }

    /** Ends all of their processes. */
    @Override
    public void close() {
        waiting.clear();
        running.forEach(each -> each.process.end(true));
        running.forEach(each -> each.process.awaitEnd());
        running.clear();
    }
}

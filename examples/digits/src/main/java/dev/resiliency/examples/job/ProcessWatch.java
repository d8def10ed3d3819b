package dev.resiliency.examples.job;

import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * The processes of jobs: tells the thread that waits for something what they print, and that they have ended. Confined to that thread,
 * which starts them.
 */
public final class ProcessWatch implements AutoCloseable {
    /** What is awaited changes without a word, too. */
    private static final Duration LOOK = Duration.ofMillis(5);

    private static final Duration SETTLING_LOOK = Duration.ofSeconds(1);
    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private final BooleanSupplier isCancelled;
    private final List<ProcessJob> jobs = new ArrayList<>();
    private final List<Followed> alive = new ArrayList<>();

    private record Followed(RankProcess process, Consumer<String> lines, IntConsumer end) {}

    /** Creates it without processes. */
    public ProcessWatch() {
        this(() -> false);
    }

    /** Creates it without processes; ends all waiting once that is true. */
    public ProcessWatch(BooleanSupplier isCancelled) {
        this.isCancelled = isCancelled;
    }

    /** Starts a job, whose processes are still to be followed. */
    public ProcessJob start(ProcessJob.Builder settings) throws IOException {
        ProcessJob job = settings.start();
        jobs.add(job);
        return job;
    }

    /** Passes on each line that a process prints and, after the last one, its exit code. */
    public RankProcess follow(RankProcess process, Consumer<String> lines, IntConsumer end) {
        alive.add(new Followed(process, lines, end));
        return process;
    }

    /** Passes on what has happened since the last look. */
    public void look() throws InterruptedException {
        for (Followed each : List.copyOf(alive)) {
            boolean hasEnded = !each.process.isAlive();
            int exitCode = hasEnded ? each.process.awaitExit() : 0; // with all its output
            each.process.takeLines().forEach(each.lines);
            if (hasEnded) {
                alive.remove(each);
                each.end.accept(exitCode);
            }
        }
    }

    /** Looks until the condition holds; returns false if it does not within the limit, or all is cancelled. */
    public boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            look();
            if (condition.getAsBoolean()) {
                return true;
            }
            long rest = deadline - System.nanoTime();
            if (rest <= 0 || isCancelled.getAsBoolean()) {
                return false;
            }
            Thread.sleep(Duration.ofNanos(Math.min(rest, LOOK.toNanos())).toMillis());
        }
    }

    /**
     * Looks until the condition holds.
     *
     * @throws IllegalStateException if it does not within the limit; says {@code what} was awaited
     */
    public void require(String what, Duration limit, BooleanSupplier condition) throws InterruptedException {
        if (!await(limit, condition)) {
            throw new IllegalStateException("not within %d s: %s".formatted(limit.toSeconds(), what));
        }
    }

    /**
     * Looks until the processes have warmed up, as those of a job that has run for a while: until they and their children use less
     * processor time than this in a second.
     */
    public void requireSettled(Duration settled, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Duration before = processorTime();
        while (System.nanoTime() - deadline < 0) {
            await(SETTLING_LOOK, () -> false);
            Duration now = processorTime();
            if (now.minus(before).compareTo(settled) < 0) {
                return;
            }
            before = now;
        }
        throw new IllegalStateException("the processes are still busy after " + limit + "; is the machine busy?");
    }

    private Duration processorTime() {
        return alive.stream()
                .flatMap(each -> ProcessHandle.of(each.process.pid()).stream())
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Kills all that live, and their children, and waits until they are gone. */
    @Override
    public void close() {
        List<ProcessHandle> left = jobs.stream()
                .flatMap(job -> job.ranks().stream())
                .flatMap(process -> process.family().stream())
                .toList();
        jobs.forEach(ProcessJob::close);
        long deadline = System.nanoTime() + END_LIMIT.toNanos();
        while (left.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }
}

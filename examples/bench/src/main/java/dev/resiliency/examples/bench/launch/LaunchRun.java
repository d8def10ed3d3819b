package dev.resiliency.examples.bench.launch;

import dev.resiliency.examples.job.AgentLine;
import dev.resiliency.examples.job.NamedLine;
import dev.resiliency.examples.job.ResiliencyProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A new job under an agent, the SIGKILL of one of its ranks, and its replacement. Confined to one thread but for the queue. */
final class LaunchRun {
    private static final String VICTIM = "rank 1";
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration SETTLING_LOOK = Duration.ofSeconds(1);
    /** CPU time per second of all processes together; their steps alone take less. */
    private static final Duration SETTLED = Duration.ofMillis(250);

    private final LaunchCase how;
    private final int ranks;
    private final String backoff;
    private final Path directory;
    private final LaunchBoard board;
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>(); // written by threads that read lines
    private boolean hasEnded;

    LaunchRun(LaunchCase how, int ranks, String backoff, Path directory) {
        this.how = how;
        this.ranks = ranks;
        this.backoff = backoff;
        this.directory = directory;
        board = new LaunchBoard(ranks);
    }

    LaunchTimes measure() throws IOException, InterruptedException {
        Path end = directory.resolve("end");
        try (ResiliencyProcess agent = ResiliencyProcess.start("agent", directory, commandLine(end))) {
            agent.follow(this::printed, this::said, exitCode -> events.add(() -> hasEnded = true));
            int processes = ranks + how.spares();
            await("all ranks train", () -> board.isFull() && board.started() == processes);
            settle(agent);
            kill();
            await("all ranks train again", board::isFull);
            LaunchTimes times = board.times();
            Files.createFile(end);
            await("the agent ends", () -> hasEnded);
            return times;
        }
    }

    private List<String> commandLine(Path end) {
        List<String> line = new ArrayList<>(List.of("run", "--nproc-per-node", "" + ranks, "--backoff", backoff));
        line.addAll(how.options());
        line.addAll(List.of("--run-dir", directory.resolve("run").toString(), "--"));
        line.addAll(ResiliencyProcess.javaCommand(directory, List.of("-Xmx128m")));
        line.addAll(List.of(LaunchRankCommand.class.getName(), "--end=" + end));
        return line;
    }

    private void printed(String line) {
        NamedLine.parse(line)
                .ifPresent(named -> LaunchMark.parse(named.text())
                        .ifPresent(mark -> events.add(() -> board.apply(named.process(), mark))));
    }

    private void said(String line) {
        long now = System.nanoTime();
        AgentLine.parse(line).ifPresent(said -> events.add(() -> board.apply(said, now)));
    }

    private void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            Runnable event = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (event == null) {
                throw new IllegalStateException("not within %d s: %s".formatted(LIMIT.toSeconds(), what));
            }
            event.run();
        }
    }

    /** Waits until the processes have warmed up, as those of a job that has run for a while. */
    private static void settle(ResiliencyProcess agent) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        Duration before = agent.processorTime();
        while (System.nanoTime() - deadline < 0) {
            Thread.sleep(SETTLING_LOOK.toMillis());
            Duration now = agent.processorTime();
            if (now.minus(before).compareTo(SETTLED) < 0) {
                return;
            }
            before = now;
        }
        throw new IllegalStateException("the processes are still busy after " + LIMIT + "; is the machine busy?");
    }

    private void kill() {
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            event.run();
        }
        ProcessHandle victim = ProcessHandle.of(board.pid(VICTIM)).orElseThrow();
        board.killed(System.nanoTime());
        victim.destroyForcibly();
    }
}

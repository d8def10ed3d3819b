package dev.resiliency.examples.bench.restart;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.job.JobProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The process of one rank of the measured job. */
final class MeasuredRank implements AutoCloseable {
    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private final int rank;
    private final Process process;

    private MeasuredRank(int rank, Process process) {
        this.rank = rank;
        this.process = process;
    }

    /** Starts it with the JVM's defaults except for the heap, as a user would. */
    static MeasuredRank start(
            int rank, int ranks, int masterPort, BenchFault fault, BenchProfile profile, Path directory, String heap)
            throws IOException {
        List<String> program = List.of(RestartRankCommand.class.getName(), "--fault=" + fault, "--profile=" + profile);
        return new MeasuredRank(
                rank, JobProcess.launch(rank, ranks, masterPort, directory, List.of("-Xmx" + heap), program));
    }

    int rank() {
        return rank;
    }

    /** Passes on the marks that it prints, on a thread of its own. */
    void follow(Consumer<Mark> marks) {
        Thread thread = new Thread(
                () -> {
                    try (BufferedReader lines =
                            new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
                        lines.lines().forEach(line -> read(line, marks));
                    } catch (IOException | UncheckedIOException e) {
                        // Killed while this thread was reading.
                    }
                },
                "rank-" + rank + "-output");
        thread.setDaemon(true);
        thread.start();
    }

    private void read(String line, Consumer<Mark> marks) {
        Mark mark;
        try {
            mark = Mark.parse(line);
        } catch (IllegalArgumentException noMark) {
            System.err.println("rank " + rank + ": " + line); // a message of the JVM
            return;
        }
        marks.accept(mark);
    }

    void tell(String command) throws IOException {
        process.getOutputStream().write((command + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
    }

    /** Returns its CPU time; zero where the system does not provide it. */
    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Sends SIGKILL; returns the time just before. */
    long kill() {
        long moment = System.nanoTime();
        process.destroyForcibly();
        return moment;
    }

    /** Waits for its exit code for a limited time. */
    int awaitExit() throws InterruptedException {
        if (!process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("rank " + rank + " has not exited within " + END_LIMIT);
        }
        return process.exitValue();
    }

    /** Kills it and its child processes. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}

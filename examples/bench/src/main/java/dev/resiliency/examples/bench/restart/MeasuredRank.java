package dev.resiliency.examples.bench.restart;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.job.JobProcess;
import dev.resiliency.examples.job.RankLaunch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A process of a rank of the measured job. */
final class MeasuredRank implements AutoCloseable {
    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private final String name;
    private final Process process;

    private MeasuredRank(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /** Starts a program as a user would. */
    static MeasuredRank start(RankLaunch launch, List<String> program) throws IOException {
        return new MeasuredRank(launch.name(), JobProcess.launch(launch, program));
    }

    /** Passes on the marks that it prints, and then calls {@code end} when it has ended, on other threads. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener does not fail
    void follow(Consumer<Mark> marks, Runnable end) {
        Thread thread = new Thread(
                () -> {
                    try (BufferedReader lines =
                            new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
                        lines.lines().forEach(line -> read(line, marks));
                    } catch (IOException | UncheckedIOException e) {
                        // Killed while this thread was reading.
                    }
                },
                name + "-output");
        thread.setDaemon(true);
        thread.start();
        process.onExit().thenRun(end);
    }

    private void read(String line, Consumer<Mark> marks) {
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

    /** Waits until it exits, for a limited time; fails unless it exits with success. */
    void awaitSuccess() throws InterruptedException {
        if (!process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(name + " has not exited within " + END_LIMIT);
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException(name + " exited with code " + process.exitValue());
        }
    }

    /** Kills it and its child processes. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}

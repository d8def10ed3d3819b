package dev.resiliency.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The process of one rank of a {@link ProcessJob}: observes its output and its end, and can end it. Safe for use by
 * many threads.
 *
 * @since 0.1.0
 */
public final class RankProcess implements AutoCloseable {
    /** An environment variable that marks all descendants of the rank, whoever adopts them after its death. */
    private static final String MARK = "RESILIENCY_TEST_MARK";

    /** All open processes: a rank that is stuck usually waits for another one. */
    private static final Set<RankProcess> OPEN = new CopyOnWriteArraySet<>();

    private static final Duration POLL = Duration.ofMillis(5);

    private final int rank;
    private final String mark = UUID.randomUUID().toString();
    private final Path log;
    private final Duration limit;
    private final Process process;
    private final Thread reader;
    /** The lines of standard output. Guarded by itself; its monitor is notified of each new one. */
    private final List<String> lines = new ArrayList<>();

    RankProcess(int rank, List<String> command, Map<String, String> environment, Path log, Duration limit)
            throws IOException {
        this.rank = rank;
        this.log = log;
        this.limit = limit;
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().putAll(environment);
        builder.environment().put(MARK, mark);
        this.process = builder.start();
        this.reader = new Thread(this::read, "output-of-rank-" + rank);
        reader.setDaemon(true);
        reader.start();
        OPEN.add(this);
    }

    private void read() {
        try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                add(line);
            }
        } catch (IOException | UncheckedIOException killed) {
            add("the output ended: " + killed);
        }
    }

    private void add(String line) {
        synchronized (lines) {
            lines.add(line);
            lines.notifyAll();
        }
    }

    /** Returns the {@code RANK} of the process. */
    public int rank() {
        return rank;
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** Returns the lines that the process has written to its standard output, since the last {@link #takeLines}. */
    public List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** Returns the same lines, and forgets them. */
    public List<String> takeLines() {
        synchronized (lines) {
            List<String> taken = List.copyOf(lines);
            lines.clear();
            return taken;
        }
    }

    /** Returns whether the process has not ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    Path logFile() {
        return log;
    }

    /**
     * Returns what the process has written to its standard error so far.
     *
     * @throws UncheckedIOException if the file cannot be read
     */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until the process has written this line to its standard output.
     *
     * @throws AssertionError if it has not within {@link ProcessJob.Builder#limit}, or has ended without it; describes all ranks of
     *     all jobs that are not closed: their output, the end of their logs, and the stacks of their threads
     */
    public void awaitLine(String line) throws InterruptedException {
        long start = System.nanoTime();
        String what = "writes '" + line + "'";
        awaitThat(what, () -> lines.contains(line) || !reader.isAlive());
        if (!lines().contains(line)) {
            throw new AssertionError(describe("ended", start, what));
        }
    }

    /**
     * Waits until a condition holds; it is checked after each new line, and every 5 ms.
     *
     * @param what what the rank then does, for the message: {@code "cleans up"}
     * @throws AssertionError if it does not hold within {@link ProcessJob.Builder#limit}; describes all ranks, as
     *     {@link #awaitLine}
     * @throws InterruptedException if the thread is interrupted, as by the time limit of a test; describes all ranks, too
     */
    public void awaitThat(String what, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        synchronized (lines) {
            while (!condition.getAsBoolean()) {
                requirePatience(start, what);
                try {
                    lines.wait(POLL.toMillis());
                } catch (InterruptedException limitOfTheTest) {
                    throw new InterruptedException(describe("interrupted", start, what));
                }
            }
        }
    }

    private String describe(String how, long start, String what) {
        return "%s after %d s, waiting until rank %d %s%n%s"
                .formatted(
                        how, Duration.ofNanos(System.nanoTime() - start).toSeconds(), rank, what, Diagnosis.of(OPEN));
    }

    private void requirePatience(long start, String what) {
        long waited = System.nanoTime() - start;
        if (waited > limit.toNanos() && waited > Patience.stretch(limit).toNanos()) {
            throw new AssertionError(describe("timed out", start, what));
        }
    }

    /**
     * Waits until the process has ended and all its output is read; returns its exit code.
     *
     * @throws AssertionError if it has not within {@link ProcessJob.Builder#limit}; describes all ranks, as
     *     {@link #awaitLine}
     * @throws InterruptedException if the thread is interrupted, as by the time limit of a test; describes all ranks, too
     */
    public int awaitExit() throws InterruptedException {
        long start = System.nanoTime();
        try {
            while (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                requirePatience(start, "ends");
            }
        } catch (InterruptedException limitOfTheTest) {
            throw new InterruptedException(describe("interrupted", start, "ends"));
        }
        reader.join(Patience.stretch(limit).toMillis());
        return process.exitValue();
    }

    /** Writes a line to the standard input of the process. */
    public void send(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
    }

    /** Closes the standard input of the process. */
    public void closeInput() throws IOException {
        process.getOutputStream().close();
    }

    /** Sends SIGKILL, which simulates the loss of the process; its monitor process outlives it for a moment. */
    public void kill() {
        process.destroyForcibly();
    }

    /**
     * Sends a signal.
     *
     * @param name without {@code SIG}: {@code STOP}
     * @throws IOException if it could not be sent
     */
    public void signal(String name) throws IOException, InterruptedException {
        Signal.send(name, List.of(pid()));
    }

    /** Returns this process and its living descendants. */
    public List<ProcessHandle> family() {
        return ProcessHandle.allProcesses().filter(this::isMarked).toList();
    }

    private boolean isMarked(ProcessHandle candidate) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc", Long.toString(candidate.pid()), "environ"));
            return List.of(new String(environment, UTF_8).split("\0", -1)).contains(MARK + "=" + mark);
        } catch (IOException e) {
            return false; // it has just ended, or is another user's
        }
    }

    /** Kills the process and its living descendants. */
    @Override
    public void close() {
        OPEN.remove(this);
        List<ProcessHandle> family = family();
        process.descendants().forEach(ProcessHandle::destroyForcibly); // without /proc there is no family
        process.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
    }
}

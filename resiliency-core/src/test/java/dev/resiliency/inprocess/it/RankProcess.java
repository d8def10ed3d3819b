package dev.resiliency.inprocess.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;

/** A JVM that runs a program of a rank, and what it has said. */
final class RankProcess implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** A variable that all processes inherit which a rank starts, whoever their parent is when it has died. */
    private static final String MARK = "RESILIENCY_IT_MARK";

    /** Those that are not closed: a rank that does not go on mostly waits for another one. */
    private static final Set<RankProcess> OPEN = new CopyOnWriteArraySet<>();

    private final int rank;
    private final String mark = UUID.randomUUID().toString();
    private final Path log;
    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader;

    /** Runs {@link RankProgram} as this rank. */
    RankProcess(int rank, Map<String, String> environment, List<String> javaOptions, Path log) throws IOException {
        this(RankProgram.class, System.getProperty("java.class.path"), rank, environment, javaOptions, log);
    }

    RankProcess(
            Class<?> program,
            String classPath,
            int rank,
            Map<String, String> environment,
            List<String> javaOptions,
            Path log)
            throws IOException {
        this.rank = rank;
        this.log = log;
        ProcessBuilder builder =
                new ProcessBuilder(ChildJvm.command(javaOptions, classPath, program)).redirectError(log.toFile());
        builder.environment().putAll(environment);
        builder.environment().put(MARK, mark);
        process = builder.start();
        reader = new Thread(this::read, "output of rank " + rank);
        reader.start();
        OPEN.add(this);
    }

    private void read() {
        try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            output.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException brokenWhenKilled) {
            lines.add("BROKEN " + brokenWhenKilled);
        }
    }

    int rank() {
        return rank;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    List<String> lines() {
        return lines;
    }

    /** Where its log goes, and what its virtual machine complains of. */
    Path log() {
        return log;
    }

    /** Waits until the rank has said this line. */
    void awaitLine(String line) {
        awaitThat("says " + line, () -> lines.contains(line));
    }

    /** Waits until something holds for this rank; otherwise the error shows where all ranks stand. */
    void awaitThat(String what, Callable<Boolean> condition) {
        try {
            await("rank " + rank + " " + what)
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(5))
                    .until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(e.getMessage() + "\n" + Diagnosis.of(OPEN), e);
        }
    }

    /** Writes a line to the standard input of the process. */
    void tell(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
    }

    /** Ends the standard input of the process. */
    void endInput() throws IOException {
        process.getOutputStream().close();
    }

    /** Forgets what was said. */
    void forgetLines() {
        lines.clear();
    }

    /** This process and all that it has started, as far as they live. */
    List<ProcessHandle> family() {
        return ProcessHandle.allProcesses().filter(this::isMarked).toList();
    }

    private boolean isMarked(ProcessHandle candidate) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc", Long.toString(candidate.pid()), "environ"));
            return List.of(new String(environment, UTF_8).split("\0", -1)).contains(MARK + "=" + mark);
        } catch (IOException e) {
            return false; // it has just ended, or is somebody else's
        }
    }

    /** Waits until the process has ended; returns its exit code. */
    int awaitExit() throws InterruptedException {
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("rank " + rank + " has not ended\n" + Diagnosis.of(OPEN));
        }
        reader.join();
        return process.exitValue();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** Sends a signal to a process that a test has started. */
    static void signal(long pid, String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
    }

    /** Kills the process and what it has started, if a test failed before they ended. */
    @Override
    public void close() {
        OPEN.remove(this);
        family().forEach(ProcessHandle::destroyForcibly);
    }
}

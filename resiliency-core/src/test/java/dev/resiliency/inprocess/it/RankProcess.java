package dev.resiliency.inprocess.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A JVM that runs {@link RankProgram}, and what it has said. */
final class RankProcess implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final int rank;
    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader;

    RankProcess(int rank, Map<String, String> environment, List<String> javaOptions, Path log) throws IOException {
        this.rank = rank;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(javaOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), RankProgram.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().putAll(environment);
        process = builder.start();
        reader = new Thread(this::read, "output of rank " + rank);
        reader.start();
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

    List<String> lines() {
        return lines;
    }

    /** Waits until the rank has said this line. */
    void awaitLine(String line) {
        await("rank " + rank + " says " + line + ", said " + lines)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> lines.contains(line));
    }

    /** Waits until the process has ended; returns its exit code. */
    int awaitExit() throws InterruptedException {
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("rank " + rank + " has not ended; it said " + lines);
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
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}

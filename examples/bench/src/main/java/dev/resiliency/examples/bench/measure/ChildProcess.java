package dev.resiliency.examples.bench.measure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that is measured. It prints one line when it is ready, and exits when its standard input ends, so that a
 * killed benchmark leaves none behind.
 */
public final class ChildProcess implements AutoCloseable {
    private static final long END_SECONDS = 10;

    // Fields of /proc/PID/stat, counted from the state of the process.
    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;
    private static final int MILLIS_PER_TICK = 10;

    private final Process process;
    private final ProcStatus status;
    private final String firstLine;

    private ChildProcess(Process process, String firstLine) {
        this.process = process;
        this.status = new ProcStatus(process.pid());
        this.firstLine = firstLine;
    }

    /**
     * Starts a command and waits for its first line.
     *
     * @throws IOException if it exits before
     */
    public static ChildProcess start(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        String line = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine();
        if (line == null) {
            throw new IOException("this exited at once: " + String.join(" ", command));
        }
        return new ChildProcess(process, line);
    }

    /** Starts a class with this JDK; {@code options} are JVM options, followed by the class. */
    public static ChildProcess startJava(List<String> options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:-UsePerfData", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.addAll(options);
        return start(command);
    }

    /** Returns the line that it printed when it was ready. */
    public String firstLine() {
        return firstLine;
    }

    /** Returns its CPU time in milliseconds, in steps of 10. */
    public long cpuMillis() throws IOException {
        String[] fields = ProcStatus.statistics(status.file("stat")).split(" ", -1);
        return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME])) * MILLIS_PER_TICK;
    }

    /** Returns whether none of its threads is running or runnable. */
    public boolean isIdle() throws IOException {
        return status.runningThreads() == 0;
    }

    /** Returns its resident memory in bytes. */
    public long residentBytes() throws IOException {
        return status.number("VmRSS") << 10;
    }

    /** Returns its peak resident memory in bytes. */
    public long peakBytes() throws IOException {
        return status.number("VmHWM") << 10;
    }

    /** Returns the number of its open file descriptors. */
    public int descriptors() {
        return status.descriptors();
    }

    /** Kills it. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

package dev.resiliency.launcher.health;

import dev.resiliency.store.spi.guard.Processes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program with a deadline. What a check does to a file system that may hang, it does in such a process: a system call that
 * hangs cannot be ended from within. Not safe for use by several threads at once.
 *
 * <p>A process that even SIGKILL does not end, since the kernel waits for a server, is left behind, and no other one is started
 * until it has ended: otherwise a mount that hangs for a day would collect a process at each check.
 *
 * <p>Thread: {@code resiliency-probe}, which reads what the program prints.
 */
final class Probe {
    private static final int LONGEST_OUTPUT = 64 * 1024;
    private static final int CHUNK = 8192;
    /** How long to see whether SIGKILL helps. */
    private static final Duration KILL_LIMIT = Duration.ofSeconds(1);

    private final List<String> command;
    /** A process that SIGKILL has not ended; null if there is none. */
    private @Nullable Process stuck;

    /** Creates a probe that runs this command. */
    Probe(List<String> command) {
        this.command = List.copyOf(command);
    }

    /**
     * What a program has come to.
     *
     * @param code its exit code; empty if it has not ended in time, or an earlier one still runs
     * @param output on both standard streams
     */
    record Result(OptionalInt code, String output) {
        boolean isLate() {
            return code.isEmpty();
        }

        boolean isSuccess() {
            return code.isPresent() && code.getAsInt() == 0;
        }
    }

    /**
     * Runs the program, and kills it if it takes longer than the limit.
     *
     * @throws IOException if it cannot be started
     * @throws InterruptedException if this thread is interrupted; the program is killed
     */
    Result run(Duration limit) throws IOException, InterruptedException {
        if (stuck != null && stuck.isAlive()) {
            return new Result(OptionalInt.empty(), "");
        }
        stuck = null;
        Process process = start();
        Output output = new Output();
        boolean hasEnded;
        try {
            output.read(process.getInputStream());
            hasEnded = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            if (process.isAlive()) {
                process.destroyForcibly(); // closes the pipe, which may still hold what one that has ended has printed
            }
        }
        if (!hasEnded && !process.waitFor(KILL_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            stuck = process;
        }
        return new Result(hasEnded ? OptionalInt.of(process.exitValue()) : OptionalInt.empty(), output.await());
    }

    private Process start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        return Processes.start(builder);
    }

    /** What a program prints: all of it is read, so that the program goes on, and the beginning is kept. */
    private static final class Output {
        private final CountDownLatch ended = new CountDownLatch(1);
        /** Guarded by itself. */
        private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();

        /** Begins to read, on a thread that ends when nobody can write any more. */
        void read(InputStream output) {
            Thread thread = new Thread(() -> readAll(output), "resiliency-probe");
            thread.setDaemon(true);
            thread.start();
        }

        private void readAll(InputStream output) {
            byte[] chunk = new byte[CHUNK];
            try (output) {
                for (int length = output.read(chunk); length >= 0; length = output.read(chunk)) {
                    synchronized (beginning) {
                        beginning.write(chunk, 0, Math.min(length, LONGEST_OUTPUT - beginning.size()));
                    }
                }
            } catch (IOException closed) {
                // The program was killed.
            } finally {
                ended.countDown();
            }
        }

        /** Returns the beginning; waits a moment for what is under way, but not for a child that has made off with the pipe. */
        String await() throws InterruptedException {
            ended.await(KILL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            synchronized (beginning) {
                return beginning.toString(StandardCharsets.UTF_8).strip();
            }
        }
    }
}

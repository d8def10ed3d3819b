package dev.resiliency.launcher.health;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program with a deadline. What a check does to a file system that may hang, it does in such a process: a system call that
 * hangs cannot be ended from within. Not safe for use by several threads at once.
 *
 * <p>A process that even SIGKILL does not end, since the kernel waits for a server, is left behind, and no other one is started
 * until it has ended: otherwise a mount that hangs for a day would collect a process at each check.
 */
final class Probe {
    private static final int LONGEST_OUTPUT = 64 * 1024;
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
        // A file receives the output, so that no thread has to read from a program that hangs.
        Path file = Files.createTempFile("resiliency-probe", ".txt");
        try {
            Process process = start(file);
            boolean hasEnded;
            try {
                hasEnded = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            if (!hasEnded && !process.waitFor(KILL_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                stuck = process;
            }
            return new Result(hasEnded ? OptionalInt.of(process.exitValue()) : OptionalInt.empty(), read(file));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private Process start(Path output) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("LC_ALL", "C");
        return builder.start();
    }

    private static String read(Path file) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            return new String(stream.readNBytes(LONGEST_OUTPUT), StandardCharsets.UTF_8).strip();
        }
    }
}

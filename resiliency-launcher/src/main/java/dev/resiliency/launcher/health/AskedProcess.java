package dev.resiliency.launcher.health;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.spi.guard.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A program that answers each line of its standard input by a line that begins with {@code answer}, and ends with its input. What
 * else it prints says why it has ended without an answer. Used by one thread at a time.
 *
 * <p>Thread: {@code resiliency-health-answers}, which reads them.
 */
final class AskedProcess implements AutoCloseable {
    private static final String ANSWER = "answer ";
    private static final int MOST_LINES = 20;

    private final Process process;
    /** Its answers; empty when its output has ended. */
    private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>();
    /** Guarded by itself. */
    private final Deque<String> otherLines = new ArrayDeque<>();

    /**
     * Starts the program.
     *
     * @throws IOException if that is impossible
     */
    AskedProcess(List<String> command) throws IOException {
        process = Processes.start(new ProcessBuilder(command).redirectErrorStream(true));
        Thread reader = new Thread(this::read, "resiliency-health-answers");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(ANSWER)) {
                    answers.add(Optional.of(line.substring(ANSWER.length())));
                } else {
                    keep(line);
                }
            }
        } catch (IOException closed) {
            // It was killed.
        }
        answers.add(Optional.empty());
    }

    private void keep(String line) {
        synchronized (otherLines) {
            otherLines.add(line);
            if (otherLines.size() > MOST_LINES) {
                otherLines.remove();
            }
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Asks once.
     *
     * @return what follows {@code answer}; empty if there is none within the limit
     * @throws IOException if the program has ended; with the last lines that it printed
     */
    Optional<String> ask(Duration limit) throws IOException, InterruptedException {
        try {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        } catch (IOException ended) {
            // So has its output, which says why.
        }
        Optional<String> answer = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (answer == null) {
            return Optional.empty();
        }
        if (answer.isEmpty()) {
            throw new IOException(lastLines());
        }
        return answer;
    }

    private String lastLines() {
        synchronized (otherLines) {
            return String.join("\n", otherLines);
        }
    }

    /** Kills it. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}

package dev.resiliency.examples.bench.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;

/**
 * Sends signals through a waiting shell: starting a program for each would take longer than many restarts.
 */
final class SignalShell implements AutoCloseable {
    private final Process shell;
    private final BufferedReader answers;

    SignalShell() throws IOException {
        shell = new ProcessBuilder("sh")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        answers = new BufferedReader(new InputStreamReader(shell.getInputStream(), UTF_8));
    }

    /** Sends a signal to processes, in this order, ignoring those that are gone. */
    void send(String signal, List<Long> pids) throws IOException {
        for (long pid : pids) {
            shell.getOutputStream()
                    .write("kill -%s %d; echo\n".formatted(signal, pid).getBytes(UTF_8));
            shell.getOutputStream().flush();
            if (answers.readLine() == null) {
                throw new IOException("the shell that sends signals has exited");
            }
        }
    }

    @Override
    public void close() {
        shell.destroyForcibly();
    }
}

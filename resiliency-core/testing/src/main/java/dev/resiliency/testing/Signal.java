package dev.resiliency.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Sends signals to processes by the program {@code kill}: Java itself can send only two kinds, and none to its own
 * process.
 *
 * @since 0.1.0
 */
public final class Signal {
    private static final long LIMIT_SECONDS = 10;

    private Signal() {}

    /**
     * Sends a signal to processes, one after the other in this order.
     *
     * @param name without {@code SIG}: {@code STOP}
     * @throws IOException if it could not be sent to one of them
     */
    public static void send(String name, List<Long> pids) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        pids.forEach(pid -> command.add(Long.toString(pid)));
        Process kill = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!kill.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            kill.destroyForcibly();
            throw new IOException("the command " + command + " has not ended within " + LIMIT_SECONDS + " s");
        }
        if (kill.exitValue() != 0) {
            throw new IOException("the command " + command + " ended with code " + kill.exitValue());
        }
    }
}

package dev.resiliency.inprocess.fault;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sends signals to processes by the program {@code kill}: Java itself sends two of them only, and none to itself. */
final class Signal {
    private static final long LIMIT_SECONDS = 10;

    private Signal() {}

    /** Sends a signal to processes, one after the other in this order. */
    static void send(String name, List<Long> pids) throws IOException, InterruptedException {
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

    /** Sends this process a signal that it will not survive as it is. */
    static void sendToSelf(String name) throws IOException, InterruptedException {
        send(name, List.of(ProcessHandle.current().pid()));
    }
}

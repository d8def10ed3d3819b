package dev.resiliency.launcher.process;

import dev.resiliency.store.spi.guard.Processes;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Sends signals with the {@code kill} of the shell: Java itself can send only two, and none to a process group. A pidfd cannot
 * name a group before Linux 6.9 either.
 */
final class Signals {
    private static final long LIMIT_SECONDS = 10;

    private Signals() {}

    /**
     * Sends a signal to a process group, or to its leader if that has not yet made the group.
     *
     * @param name without {@code SIG}
     * @throws IOException if the shell cannot be started or does not end
     */
    static void toGroup(String name, long leader) throws IOException, InterruptedException {
        run("kill -s \"$1\" -- \"-$2\" || kill -s \"$1\" -- \"$2\"", name, leader);
    }

    /** Sends a signal to one process; does nothing if it has ended. */
    static void toProcess(String name, long pid) throws IOException, InterruptedException {
        run("kill -s \"$1\" -- \"$2\"", name, pid);
    }

    private static void run(String script, String name, long pid) throws IOException, InterruptedException {
        List<String> command = List.of(ProcessTools.SHELL, "-c", script, "kill", name, Long.toString(pid));
        Process kill = Processes.start(
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD));
        if (!kill.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            kill.destroyForcibly();
            throw new IOException("the command " + command + " has not ended within " + LIMIT_SECONDS + " s");
        }
    }
}

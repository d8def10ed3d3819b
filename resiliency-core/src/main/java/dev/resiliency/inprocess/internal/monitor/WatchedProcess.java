package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.resiliency.store.spi.guard.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The process of a rank, from the monitor's side. It is identified by its id and start time: the id alone may by now
 * belong to another process, which must not get its signals.
 */
final class WatchedProcess {
    private final long pid;
    private final String start;
    private final Path proc;
    private final String shell;

    WatchedProcess(long pid, String start) {
        this(pid, start, ProcessStart.PROC, "sh");
    }

    WatchedProcess(long pid, String start, Path proc, String shell) {
        this.pid = pid;
        this.start = start;
        this.proc = proc;
        this.shell = shell;
    }

    /**
     * Returns whether it has crashed and is writing its core dump. That can take minutes, during which all its threads
     * stand still while its sockets and pipes stay open.
     */
    boolean isDumpingCore() {
        return statusContains("CoreDumping:\t1");
    }

    /** Returns whether SIGSTOP or a debugger has stopped it. */
    boolean isSuspended() {
        return statusContains("State:\tT") || statusContains("State:\tt");
    }

    private boolean statusContains(String line) {
        try {
            return Files.readString(proc.resolve(Long.toString(pid)).resolve("status"), ISO_8859_1)
                    .contains(line);
        } catch (IOException noSuchProcessOrNotLinux) {
            return false;
        }
    }

    /**
     * Sends SIGCONT, so that even a stopped process can say its last words and run its shutdown hooks.
     *
     * @throws IOException if it could not be sent
     */
    void wake() throws IOException, InterruptedException {
        if (find().isPresent()) {
            sendContinue();
        }
    }

    /** Sends SIGTERM. */
    void terminate() {
        find().ifPresent(ProcessHandle::destroy);
    }

    /** Sends SIGKILL, which ends a stopped process as well. */
    void kill() {
        find().ifPresent(ProcessHandle::destroyForcibly);
    }

    private Optional<ProcessHandle> find() {
        return ProcessHandle.of(pid)
                .filter(process -> ProcessStart.of(pid, proc).equals(start));
    }

    /**
     * Sends SIGCONT; the JDK can send only SIGTERM and SIGKILL. Uses the shell's built-in {@code kill}, the only one in
     * slim containers.
     */
    private void sendContinue() throws IOException, InterruptedException {
        Process kill = Processes.start(new ProcessBuilder(shell, "-c", "kill -CONT " + pid)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD));
        if (!kill.waitFor(1, TimeUnit.SECONDS)) {
            kill.destroyForcibly();
        }
    }
}

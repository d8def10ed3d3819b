package dev.resiliency.inprocess.internal.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The process of a rank, as its monitor process sees it. A process id alone is not enough to send a signal to: it may
 * belong to another process by now, which started at another time.
 */
final class RankProcess {
    private final long pid;
    private final String start;
    private final Path proc;

    RankProcess(long pid, String start) {
        this(pid, start, ProcessStart.PROC);
    }

    RankProcess(long pid, String start, Path proc) {
        this.pid = pid;
        this.start = start;
        this.proc = proc;
    }

    /**
     * Whether it has crashed and writes its core. That can take minutes in which all its threads stand, while its sockets
     * and pipes stay open.
     */
    boolean isDumpingCore() {
        try {
            return Files.readString(proc.resolve(Long.toString(pid)).resolve("status"), ISO_8859_1)
                    .contains("CoreDumping:\t1");
        } catch (IOException noSuchProcessOrNotLinux) {
            return false;
        }
    }

    /** SIGCONT and SIGTERM, so that even a stopped process can run its shutdown hooks. */
    void terminate() throws IOException, InterruptedException {
        Optional<ProcessHandle> process = find();
        if (process.isPresent()) {
            wake();
            process.get().destroy();
        }
    }

    /** SIGCONT, SIGTERM and SIGKILL. */
    void kill() throws IOException, InterruptedException {
        terminate();
        find().ifPresent(ProcessHandle::destroyForcibly);
    }

    private Optional<ProcessHandle> find() {
        return ProcessHandle.of(pid)
                .filter(process -> ProcessStart.of(pid, proc).equals(start));
    }

    /** The JDK can send SIGTERM and SIGKILL only. */
    private void wake() throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-CONT", Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!kill.waitFor(1, TimeUnit.SECONDS)) {
            kill.destroyForcibly();
        }
    }
}

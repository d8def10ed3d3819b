package dev.resiliency.examples.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Reads what the kernel knows about a process.
 *
 * @param pid the process id
 */
public record ProcStatus(long pid) {
    /** The current process. */
    public static final ProcStatus OWN = new ProcStatus(ProcessHandle.current().pid());

    /** Returns its CPU time in milliseconds, in steps of 10. */
    public long cpuMillis() {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO)
                .toMillis();
    }

    /** Returns its resident memory in bytes. */
    public long residentBytes() throws IOException {
        return number("VmRSS") << 10;
    }

    /** Returns the number of open file descriptors. */
    public int descriptors() {
        String[] open = file("fd").toFile().list();
        return open == null ? 0 : open.length;
    }

    /** Returns the number of threads, those of the JVM included. */
    public long threads() throws IOException {
        return number("Threads");
    }

    /** Returns the number of threads that are running or runnable. */
    public int runningThreads() throws IOException {
        String[] threads = file("task").toFile().list();
        int running = 0;
        for (String thread : threads == null ? new String[0] : threads) {
            try {
                String stat = Files.readString(file("task").resolve(thread).resolve("stat"));
                int state = stat.lastIndexOf(')') + 2; // behind a name, which may be anything
                running += stat.startsWith("R", state) ? 1 : 0;
            } catch (NoSuchFileException ended) {
                // the thread has ended
            }
        }
        return running;
    }

    /** Returns the first number of a field of its status. */
    private long number(String name) throws IOException {
        return Files.readAllLines(file("status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.replaceAll("\\D", ""))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow();
    }

    /** Returns one of its files. */
    private Path file(String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }
}

package dev.resiliency.examples.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads what the kernel knows about a process.
 *
 * @param pid the process id
 */
public record ProcStatus(long pid) {
    /** The current process. */
    public static final ProcStatus OWN = new ProcStatus(ProcessHandle.current().pid());

    // Fields of /proc/PID/stat, counted from the state of the process.
    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;
    private static final int MILLIS_PER_TICK = 10;

    /** Returns its CPU time in milliseconds, in steps of 10. */
    public long cpuMillis() throws IOException {
        String[] fields = statistics(file("stat")).split(" ", -1);
        return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME])) * MILLIS_PER_TICK;
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
                running +=
                        statistics(file("task").resolve(thread).resolve("stat")).startsWith("R") ? 1 : 0;
            } catch (NoSuchFileException ended) {
                // the thread has ended
            }
        }
        return running;
    }

    /** Returns the fields of {@code stat} from the state on; before it is a name, which may contain anything. */
    private static String statistics(Path stat) throws IOException {
        String all = Files.readString(stat);
        return all.substring(all.lastIndexOf(')') + 2);
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

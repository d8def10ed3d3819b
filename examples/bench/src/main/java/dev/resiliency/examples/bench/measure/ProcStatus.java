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
    /** SIGINT is signal 2, and bit 0 of a mask is signal 1. */
    private static final long INTERRUPT = 1L << 1;

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
    static String statistics(Path stat) throws IOException {
        String all = Files.readString(stat);
        return all.substring(all.lastIndexOf(')') + 2);
    }

    /** Returns the state, such as {@code S (sleeping)} or {@code T (stopped)}. */
    public String state() throws IOException {
        return field("State");
    }

    /** Returns whether it ignores SIGINT, as in the background of a script; its children inherit that. */
    public boolean ignoresInterrupt() throws IOException {
        return (Long.parseUnsignedLong(field("SigIgn"), 16) & INTERRUPT) != 0;
    }

    /** Returns the first number of a field of its status. */
    long number(String name) throws IOException {
        return Long.parseLong(field(name).replaceAll("\\D", ""));
    }

    private String field(String name) throws IOException {
        return Files.readAllLines(file("status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    /** Returns one of its files. */
    Path file(String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }
}

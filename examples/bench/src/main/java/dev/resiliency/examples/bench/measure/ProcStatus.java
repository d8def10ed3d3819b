package dev.resiliency.examples.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

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
        return entries("fd").size();
    }

    /** Returns how many open file descriptors there are of each file, and of each kind, as socket and pipe. */
    public SortedMap<String, Integer> openFiles() throws IOException {
        SortedMap<String, Integer> open = new TreeMap<>();
        for (Path link : entries("fd")) {
            try {
                String target = Files.readSymbolicLink(link).toString();
                open.merge(target.replaceFirst(":\\[\\d+\\]$", ""), 1, Integer::sum);
            } catch (NoSuchFileException closed) {
                // since it was listed
            }
        }
        return open;
    }

    /** Returns the number of threads, those of the JVM included. */
    public long threads() throws IOException {
        return number("Threads");
    }

    /** Returns the number of threads that are running or runnable. */
    public int runningThreads() throws IOException {
        int running = 0;
        for (Path thread : entries("task")) {
            try {
                String stat = Files.readString(thread.resolve("stat"));
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

    /** Returns what one of its directories holds; nothing once the process has ended. */
    private List<Path> entries(String name) {
        String[] names = file(name).toFile().list();
        return names == null
                ? List.of()
                : Stream.of(names).map(file(name)::resolve).toList();
    }

    /** Returns one of its files. */
    private Path file(String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }
}

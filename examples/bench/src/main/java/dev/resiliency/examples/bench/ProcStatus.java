package dev.resiliency.examples.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * What the kernel knows of a process.
 *
 * @param pid which one
 */
public record ProcStatus(long pid) {
    /** Of the process that asks. */
    public static final ProcStatus OWN = new ProcStatus(ProcessHandle.current().pid());

    /** How many file descriptors it has open. */
    public int descriptors() {
        String[] open = file("fd").toFile().list();
        return open == null ? 0 : open.length;
    }

    /** How many threads it has, those of the virtual machine included. */
    public long threads() throws IOException {
        return number("Threads");
    }

    /** How many of them run, or would if they were given a core. */
    public int runningThreads() throws IOException {
        String[] threads = file("task").toFile().list();
        int running = 0;
        for (String thread : threads == null ? new String[0] : threads) {
            try {
                running +=
                        statistics(file("task").resolve(thread).resolve("stat")).startsWith("R") ? 1 : 0;
            } catch (NoSuchFileException ended) {
                // it runs no more
            }
        }
        return running;
    }

    /** The fields of a {@code stat} from the state on; those before are an id and a name, which may hold anything. */
    static String statistics(Path stat) throws IOException {
        String all = Files.readString(stat);
        return all.substring(all.lastIndexOf(')') + 2);
    }

    /** What it is at, as the kernel says it: {@code S (sleeping)}, {@code T (stopped)}. */
    public String state() throws IOException {
        return field("State");
    }

    /** A number from its status, by its name there; the first one if there are several. */
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

    /** One of its files. */
    Path file(String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }
}

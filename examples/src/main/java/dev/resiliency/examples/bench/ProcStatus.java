package dev.resiliency.examples.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the kernel knows of a process.
 *
 * @param pid which one
 */
public record ProcStatus(long pid) {

    /** How many file descriptors it has open. */
    public int descriptors() {
        String[] open = file("fd").toFile().list();
        return open == null ? 0 : open.length;
    }

    /** How many threads it has, those of the virtual machine included. */
    public long threads() throws IOException {
        return number("Threads");
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

package dev.resiliency.examples.bench.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/** Orders to processes whose standard input is none: each has a file of its own, and there is one for all. */
final class OrderFiles {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final String EXIT = "exit";

    private OrderFiles() {}

    /** Orders the process to exit with this code, at once. */
    static String exit(int code) {
        return EXIT + " " + code;
    }

    /** Gives an order to one process. */
    static void give(Path directory, long pid, String order) throws IOException {
        append(of(directory, Long.toString(pid)), order);
    }

    /** Gives an order to all processes, also to those that start later. */
    static void giveAll(Path directory, String order) throws IOException {
        append(of(directory, "all"), order);
    }

    private static Path of(Path directory, String who) {
        return directory.resolve("orders-" + who);
    }

    private static void append(Path file, String order) throws IOException {
        Files.writeString(file, order + "\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Passes the orders of this process on, from now until its end. */
    static void follow(Path directory, Orders orders) {
        long pid = ProcessHandle.current().pid();
        for (String who : List.of("all", Long.toString(pid))) {
            Thread thread = new Thread(() -> read(of(directory, who), orders), "orders-" + who);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void read(Path file, Orders orders) {
        int known = 0;
        try {
            while (true) {
                List<String> lines = read(file);
                for (String line : lines.subList(known, lines.size())) {
                    obey(line, orders);
                }
                known = lines.size();
                Thread.sleep(LOOK.toMillis());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    /** A line whose end is missing is not written yet. */
    private static List<String> read(Path file) {
        try {
            String all = Files.readString(file);
            return all.substring(0, all.lastIndexOf('\n') + 1).lines().toList();
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void obey(String line, Orders orders) {
        if (line.startsWith(EXIT)) {
            Runtime.getRuntime().halt(Integer.parseInt(line.substring(EXIT.length() + 1)));
        }
        orders.take(line);
    }
}

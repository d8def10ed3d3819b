package dev.resiliency.examples.bench.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.testing.FaultKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Orders to a rank, one per line: on its standard input or, under an agent, which gives it none, in a file of its own and in one
 * for all. Safe for use by many threads.
 */
final class Orders {
    /** Who reads the file for all. */
    static final String ALL = "all";

    private static final long LOOK_MILLIS = 50;

    /** A fault to inject as soon as the rank reaches its place. */
    record Due(int id, FaultKind kind, Place place) {}

    private final ConcurrentLinkedQueue<Due> due = new ConcurrentLinkedQueue<>();
    /** The step before which the function returns. */
    private volatile int finalStep = Integer.MAX_VALUE;

    static String inject(ChaosFault fault) {
        return fault.place() == Place.EXIT
                ? "exit " + fault.exitCode()
                : "fault %d %s %s"
                        .formatted(
                                fault.id(), fault.kind().name(), fault.place().name());
    }

    /** Orders the function to return before this step. All ranks must receive the order before any of them reaches the step. */
    static String finishBefore(int step) {
        return "finish-before " + step;
    }

    /** Orders the process to exit. */
    static String close() {
        return "close 0";
    }

    /** Writes an order to the file of a process, or to the one for all, also those that start later. */
    static void give(Path directory, String who, String order) throws IOException {
        Files.writeString(
                directory.resolve("orders-" + who),
                order + "\n",
                UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** Accepts a line; returns its number, which is that of the fault where it orders one. */
    int take(String line) {
        List<String> words = List.of(line.split(" ", -1));
        int number = Integer.parseInt(words.get(1));
        switch (words.get(0)) {
            case "fault" -> due.add(new Due(number, FaultKind.valueOf(words.get(2)), Place.valueOf(words.get(3))));
            case "finish-before" -> finalStep = number;
            case "exit" -> Runtime.getRuntime().halt(number);
            case "close" -> {} // once it is answered
            default -> throw new IllegalArgumentException("not an order: " + line);
        }
        return number;
    }

    /** Takes orders from the files of this process, from now until its end. */
    void follow(Path directory) {
        for (String who : List.of(ALL, Long.toString(ProcessHandle.current().pid()))) {
            Thread thread = new Thread(() -> follow(directory, who), "orders-" + who);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void follow(Path directory, String who) {
        int known = 0;
        while (true) {
            List<String> lines = read(directory.resolve("orders-" + who));
            lines.subList(known, lines.size()).forEach(this::take);
            known = lines.size();
            LockSupport.parkNanos(Duration.ofMillis(LOOK_MILLIS).toNanos());
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

    /** Returns the fault to inject here, once; null if there is none. */
    @Nullable
    Due takeDue(Place place) {
        for (Due each : due) {
            if (each.place() == place && due.remove(each)) {
                return each;
            }
        }
        return null;
    }

    boolean isFinishedAfter(int step) {
        return step >= finalStep;
    }
}

package dev.resiliency.examples.spark;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file in which ranks write each round that they complete, as {@code RANK ROUND CALL PROCESS MILLIS}. */
record Rounds(String file) implements Serializable {
    /**
     * A line of the file.
     *
     * @param call of the function; each time it is called again has another
     * @param millis when the round was complete, since the epoch
     */
    record Line(int rank, int round, long call, long process, long millis) {}

    void completed(int rank, int round, long call) {
        try {
            String line = "%d %d %d %d %d%n"
                    .formatted(rank, round, call, ProcessHandle.current().pid(), System.currentTimeMillis());
            Files.writeString(Path.of(file), line, CREATE, APPEND);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    List<Line> read() throws IOException {
        return Files.exists(Path.of(file))
                ? Files.readAllLines(Path.of(file)).stream()
                        .map(line -> line.split(" ", -1))
                        .filter(fields -> fields.length == 5)
                        .map(fields -> new Line(
                                Integer.parseInt(fields[0]),
                                Integer.parseInt(fields[1]),
                                Long.parseLong(fields[2]),
                                Long.parseLong(fields[3]),
                                Long.parseLong(fields[4])))
                        .toList()
                : List.of();
    }
}

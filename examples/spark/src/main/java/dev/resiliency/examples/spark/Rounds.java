package dev.resiliency.examples.spark;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file in which ranks write each round that they complete, as {@code RANK ROUND PROCESS}. */
record Rounds(String file) implements Serializable {
    /** A line of the file. */
    record Line(int rank, int round, long process) {}

    void completed(int rank, int round) {
        try {
            String line = rank + " " + round + " " + ProcessHandle.current().pid() + "\n";
            Files.writeString(Path.of(file), line, CREATE, APPEND);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    List<Line> read() throws IOException {
        return Files.exists(Path.of(file))
                ? Files.readAllLines(Path.of(file)).stream()
                        .map(line -> line.split(" ", -1))
                        .filter(fields -> fields.length == 3)
                        .map(fields -> new Line(
                                Integer.parseInt(fields[0]), Integer.parseInt(fields[1]), Long.parseLong(fields[2])))
                        .toList()
                : List.of();
    }
}

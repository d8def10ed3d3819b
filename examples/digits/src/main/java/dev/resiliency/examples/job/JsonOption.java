package dev.resiliency.examples.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Adds {@code --json FILE} to a command, as a picocli mixin: a report for programs. */
public final class JsonOption {
    @Option(names = "--json", paramLabel = "FILE", description = "Write a report in JSON to this file.")
    private @Nullable Path file;

    /** For picocli. */
    public JsonOption() {}

    /** Rejects a file that cannot be written, before the job rather than after it. */
    public void check() {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        Program.require(!Files.isDirectory(file), "--json: " + file + " is a directory");
        Program.require(
                directory != null && Files.isDirectory(directory), "--json: there is no directory " + directory);
    }

    /** Writes the report if the user asked for it. */
    public void write(Object report) throws IOException {
        if (file != null) {
            Json.MAPPER.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), report);
        }
    }
}

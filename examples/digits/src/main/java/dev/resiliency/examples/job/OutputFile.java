package dev.resiliency.examples.job;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Validates files that a command is asked to write. */
public final class OutputFile {
    private OutputFile() {}

    /**
     * Rejects a file that cannot be written, before the job rather than after it.
     *
     * @param option as the user writes it
     * @param file null if it was not given
     */
    public static void check(CommandSpec command, String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        if (Files.isDirectory(file)) {
            throw new ParameterException(command.commandLine(), option + ": " + file + " is a directory");
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new ParameterException(command.commandLine(), option + ": there is no directory " + directory);
        }
    }
}

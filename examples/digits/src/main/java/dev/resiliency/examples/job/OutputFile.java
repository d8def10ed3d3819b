package dev.resiliency.examples.job;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A file that a command is told to write. */
public final class OutputFile {
    private OutputFile() {}

    /**
     * Refuses one that cannot be written: nobody wants to hear of it after the job.
     *
     * @param option as the user has given it
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

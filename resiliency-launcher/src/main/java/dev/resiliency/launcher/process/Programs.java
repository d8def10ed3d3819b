package dev.resiliency.launcher.process;

import dev.resiliency.launcher.process.ExitReason.NotStarted;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds programs as a shell does, so that a mistake in a command is named before anything starts. */
public final class Programs {
    private Programs() {}

    /** Returns the executable file of this name in the directories of {@code path}. */
    public static Optional<Path> find(String path, String name) {
        return candidates(path, name).filter(Programs::isProgram).findFirst();
    }

    /** Returns why a program cannot be started; empty if it can. */
    public static Optional<NotStarted> problem(String program, Path directory, String path) {
        if (program.contains("/")) {
            Path file = directory.resolve(program);
            return isProgram(file) ? Optional.empty() : Optional.of(problem(file));
        }
        if (find(path, program).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(candidates(path, program)
                .filter(Files::isRegularFile)
                .findFirst()
                .map(Programs::problem)
                .orElseGet(() -> new NotStarted(
                        NotStarted.NOT_FOUND,
                        "there is no program '%s' in the directories of PATH (%s)".formatted(program, path))));
    }

    private static NotStarted problem(Path file) {
        if (!Files.exists(file)) {
            return new NotStarted(NotStarted.NOT_FOUND, "there is no file " + file);
        }
        return new NotStarted(
                NotStarted.NOT_EXECUTABLE,
                Files.isDirectory(file)
                        ? file + " is a directory"
                        : file + " is not executable: chmod +x it, or start it with its interpreter");
    }

    private static Stream<Path> candidates(String path, String name) {
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory).resolve(name));
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}

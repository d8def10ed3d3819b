package dev.resiliency.launcher.monitor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The file in which a node keeps the times of a job from run to run. It is replaced as a whole, so no crash leaves half of it. */
final class TimesFile {
    private static final String UNFINISHED = ".new";

    private final Path path;

    TimesFile(Path path) {
        this.path = path;
    }

    /**
     * Returns what the last run has kept; no times if there is no file.
     *
     * @throws IOException if the file cannot be used; names it
     */
    JobTimes load() throws IOException {
        try {
            return JobTimes.parse(Files.readString(path));
        } catch (NoSuchFileException e) {
            return new JobTimes();
        } catch (IOException e) {
            throw new IOException("%s cannot be used: %s".formatted(path, e.getMessage()), e);
        }
    }

    void save(JobTimes times) throws IOException {
        Path parent = path.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Path unfinished = path.resolveSibling(path.getFileName() + UNFINISHED);
        Files.writeString(unfinished, times.json());
        Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}

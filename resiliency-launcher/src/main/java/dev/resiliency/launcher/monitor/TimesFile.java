package dev.resiliency.launcher.monitor;

import dev.resiliency.store.spi.guard.OwnFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The file in which a node keeps the times of a job from run to run. It is replaced as a whole, so no crash leaves half of it. */
final class TimesFile {
    /** That of many sections has some hundred KiB. */
    private static final int LONGEST = 16 << 20;

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
            return JobTimes.parse(OwnFiles.read(path, LONGEST));
        } catch (NoSuchFileException e) {
            return new JobTimes();
        } catch (IOException e) {
            throw new IOException("%s cannot be used: %s".formatted(path, e.getMessage()), e);
        }
    }

    void save(JobTimes times) throws IOException {
        OwnFiles.replace(path, times.json());
    }
}

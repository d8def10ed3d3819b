package dev.resiliency.launcher.health;

import dev.resiliency.launcher.process.ProcessTools;
import dev.resiliency.launcher.process.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks what the supervision of processes needs: Linux, the programs of util-linux, and a directory for its notes. */
final class SystemCheck implements HostCheck {
    private static final String SUBJECT = "processes";

    private final String path;
    private final Path runDirectory;

    /**
     * Creates a check.
     *
     * @param path the value of {@code PATH}
     */
    SystemCheck(String path, Path runDirectory) {
        this.path = path;
        this.runDirectory = runDirectory;
    }

    @Override
    public Finding run() throws InterruptedException {
        try {
            RunDirectory.none();
        } catch (UnsupportedOperationException e) {
            return Finding.failure(SUBJECT, String.valueOf(e.getMessage()));
        }
        try {
            if (Files.exists(runDirectory)) {
                RunDirectory.open(runDirectory);
            }
        } catch (IOException e) {
            return Finding.warning(
                    SUBJECT,
                    "the directory %s cannot be used (%s): what a killed supervisor leaves behind stays; name another one"
                                    .formatted(runDirectory, e.getMessage())
                            + " with --run-dir");
        }
        return ProcessTools.find(path)
                .missing()
                .map(missing -> Finding.warning(SUBJECT, missing))
                .orElseGet(() -> Finding.ok(SUBJECT, "they end with their supervisor; notes are in " + runDirectory));
    }
}

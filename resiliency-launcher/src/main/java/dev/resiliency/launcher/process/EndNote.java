package dev.resiliency.launcher.process;

import dev.resiliency.store.spi.guard.FileNames;
import dev.resiliency.store.spi.guard.OwnFiles;
import dev.resiliency.store.spi.guard.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** How a job has ended, as the agent that hosted its store has noted in the run directory: the store ends with that agent. */
public final class EndNote {
    private static final String DIRECTORY = "ends";
    private static final int LONGEST = 1 << 16;

    private final RunDirectory directory;
    private final String name;

    /** Creates the note of a job whose store this process hosts at a port. */
    public EndNote(RunDirectory directory, String jobId, int port) {
        this.directory = directory;
        this.name = name(jobId, port);
    }

    private static String name(String jobId, int port) {
        return FileNames.of(jobId) + "-" + port;
    }

    /** Deletes what is noted of a job before, as one begins. */
    public void delete() {
        try {
            PrivateDirectory parent = directory.directory().orElse(null);
            if (parent != null) {
                OwnFiles.delete(parent.child(DIRECTORY).resolve(name));
            }
        } catch (IOException e) {
            // It is replaced at the end.
        }
    }

    /** Writes it, if that is possible: a full disk must not change how the job ends. */
    public void write(String text) {
        try {
            PrivateDirectory parent = directory.directory().orElse(null);
            if (parent != null) {
                OwnFiles.replace(parent.child(DIRECTORY).resolve(name), text);
            }
        } catch (IOException e) {
            // The agent's log says it as well.
        }
    }

    /** Returns what is noted of a job whose store was at a port of this host; empty if nothing is. */
    public static Optional<String> read(Path runDirectory, String jobId, int port) {
        try {
            return Optional.of(OwnFiles.read(runDirectory.resolve(DIRECTORY).resolve(name(jobId, port)), LONGEST));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}

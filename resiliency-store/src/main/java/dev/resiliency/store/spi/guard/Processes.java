package dev.resiliency.store.spi.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * Starts processes. A start that fails for lack of file descriptors is worse than none: the JDK (17 and 25, at least) then closes
 * descriptors twice, and so those of files and connections that other threads have opened in between.
 *
 * @since 0.1.0
 */
public final class Processes {
    /** A start takes at most 11. The others are for what other threads open meanwhile. */
    private static final int NEEDED = 32;

    private static final Path LINUX = Path.of("/proc/self/fd");

    private Processes() {}

    /**
     * Starts a process.
     *
     * @throws IOException if that is impossible, or so few descriptors are left that it would endanger this process
     */
    public static synchronized Process start(ProcessBuilder builder) throws IOException {
        if (Files.exists(LINUX)) { // elsewhere nobody can tell
            requireRoom();
        }
        return builder.start();
    }

    private static void requireRoom() throws IOException {
        OptionalInt limit = OpenFiles.limit();
        if (limit.isPresent() && OpenFiles.descriptors().size() > limit.getAsInt() - NEEDED) {
            throw new IOException(
                    "Too many open files: a process needs %d to start, and all but fewer of %d are open (ulimit -n)"
                            .formatted(NEEDED, limit.getAsInt()));
        }
    }
}

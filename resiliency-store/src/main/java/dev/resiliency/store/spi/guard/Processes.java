package dev.resiliency.store.spi.guard;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts processes. A start that fails for lack of file descriptors is worse than none: the JDK (17 and 25, at least) then closes
 * descriptors twice, and so those of files and connections that other threads have opened in between.
 *
 * @since 0.1.0
 */
public final class Processes {
    /** A start takes at most 11. The others are for what other threads open meanwhile. */
    private static final int NEEDED = 32;

    private static final Path OPEN = Path.of("/proc/self/fd");
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern SOFT_LIMIT = Pattern.compile("Max open files +(\\d{1,9}) ");

    private Processes() {}

    /**
     * Starts a process.
     *
     * @throws IOException if that is impossible, or so few descriptors are left that it would endanger this process
     */
    public static synchronized Process start(ProcessBuilder builder) throws IOException {
        if (Files.exists(OPEN)) { // not on other systems than Linux
            requireRoom();
        }
        return builder.start();
    }

    /** Another process may change the limit at any time. */
    private static void requireRoom() throws IOException {
        Matcher limit = SOFT_LIMIT.matcher(Files.readString(LIMITS));
        if (limit.find()) {
            requireRoom(Integer.parseInt(limit.group(1)));
        }
    }

    private static void requireRoom(int limit) throws IOException {
        int open = 0;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(OPEN)) {
            for (Path unused : descriptors) {
                if (++open > limit - NEEDED) {
                    throw new IOException(
                            "Too many open files: a process needs %d to start, and all but fewer of %d are open (ulimit -n)"
                                    .formatted(NEEDED, limit));
                }
            }
        }
    }
}

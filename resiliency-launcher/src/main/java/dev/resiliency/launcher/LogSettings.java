package dev.resiliency.launcher;

import dev.resiliency.launcher.log.LogFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the output of a job is kept.
 *
 * @param prefix of the files that keep it, one for each cycle: {@code PREFIX_cycleN.log}; null to keep none
 * @param server whether a server at the host of the store merges the files of all nodes
 * @param serverPort of that server
 * @param directory with a server: where each node keeps its own files; null for that of {@code prefix}
 * @since 0.1.0
 */
public record LogSettings(
        @Nullable Path prefix,
        boolean server,
        int serverPort,
        @Nullable Path directory) {
    /** The port of the log server by default, as nvidia-resiliency-ext's. */
    public static final int DEFAULT_PORT = 50_051;

    /** Keeps no output. */
    public static final LogSettings NONE = new LogSettings(null, false, DEFAULT_PORT, null);

    private static final int HIGHEST_PORT = 65_535;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is invalid, or contradicts another; names it
     */
    public LogSettings {
        if (prefix != null) {
            LogFiles.of(prefix); // checks it
        }
        if (server && prefix == null) {
            throw new IllegalArgumentException(
                    "a log server needs --per-cycle-applog-prefix, which names the files that it merges into");
        }
        if (directory != null && !server) {
            throw new IllegalArgumentException(
                    "--node-log-dir is where nodes keep what a log server merges: it needs --enable-log-server");
        }
        if (serverPort < 1 || serverPort > HIGHEST_PORT) {
            throw new IllegalArgumentException("log-server-port is " + serverPort + ": it must be from 1 to 65535");
        }
    }
}

package dev.resiliency.inprocess.spi;

import dev.resiliency.inprocess.internal.monitor.MonitorServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Watches the wrapped ranks of an agent from its own process, as a monitor process for each would: renews their leases, interrupts
 * and ends those that hang, and reports their deaths. A rank finds it beside the directory of its
 * {@linkplain dev.resiliency.monitor.spi.StampFile stamp file}, unless it runs in a container without its agent. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface RankMonitors extends AutoCloseable {
    /**
     * Waits from now on for ranks that this process starts.
     *
     * @param directory that of their stamp files; the socket by which they ask is beside it, and nobody else may write there
     * @throws IOException if the socket cannot be created, such as for a path of more than 107 bytes; ranks then start a monitor
     *     process each
     */
    static RankMonitors open(Path directory) throws IOException {
        return MonitorServer.open(directory);
    }

    /** Deletes the socket that a process left behind which was killed. */
    static void deleteLeft(Path directory) throws IOException {
        Files.deleteIfExists(MonitorServer.socketOf(directory));
    }

    /** Watches no longer, and deletes the socket; waits up to 2 s for reports of ranks that have just died. */
    @Override
    void close();
}

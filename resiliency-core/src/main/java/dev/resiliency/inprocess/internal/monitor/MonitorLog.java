package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.inprocess.internal.protocol.Identity;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Appends lines to the log file of the monitor process, if it has one; no logging library is on its class path. */
final class MonitorLog implements AutoCloseable {
    private final String prefix;
    private final @Nullable PrintWriter writer;

    private MonitorLog(String prefix, @Nullable PrintWriter writer) {
        this.prefix = prefix;
        this.writer = writer;
    }

    static MonitorLog open(@Nullable Path file, OwnFiles files, Identity identity) throws IOException {
        PrintWriter writer = file == null ? null : new PrintWriter(files.append(file, "monitorProcessLogFile"), true);
        String founders = identity.isJoiner() ? "" : "/" + identity.worldSize();
        return new MonitorLog("[monitor of rank " + identity.rank() + founders + "] ", writer);
    }

    synchronized void line(String message) {
        if (writer != null) {
            writer.println(Instant.now() + " " + prefix + message);
        }
    }

    @Override
    public synchronized void close() {
        if (writer != null) {
            writer.close();
        }
    }
}

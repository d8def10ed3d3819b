package dev.resiliency.inprocess.internal.monitor;

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

    static MonitorLog open(@Nullable Path file, OwnFiles files, int rank, int worldSize) throws IOException {
        PrintWriter writer = file == null ? null : new PrintWriter(files.append(file, "monitorProcessLogFile"), true);
        return new MonitorLog("[monitor of rank " + rank + "/" + worldSize + "] ", writer);
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

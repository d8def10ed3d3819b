package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.store.spi.guard.OwnFiles;
import dev.resiliency.store.spi.guard.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.Channels;
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

    static MonitorLog open(@Nullable Path file, Identity identity) throws IOException {
        PrintWriter writer = file == null ? null : append(file);
        String founders = identity.isJoiner() ? "" : "/" + identity.worldSize();
        return new MonitorLog("[monitor of rank " + identity.rank() + founders + "] ", writer);
    }

    private static PrintWriter append(Path file) throws IOException {
        try {
            MonitorSession.createDirectoryOf(file);
            return new PrintWriter(Channels.newWriter(OwnFiles.append(file), UTF_8), true);
        } catch (IOException e) {
            throw new IOException("monitorProcessLogFile: " + e.getMessage(), e);
        }
    }

    synchronized void line(String message) {
        if (writer != null) {
            writer.println(Instant.now() + " " + prefix + Printable.of(message));
        }
    }

    @Override
    public synchronized void close() {
        if (writer != null) {
            writer.close();
        }
    }
}

package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.inprocess.internal.watch.HeartbeatFile;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.spi.guard.OwnFiles;
import dev.resiliency.store.spi.guard.Printable;
import dev.resiliency.store.tcp.TcpStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Watches one rank, from its options to its end, at the other end of the pipe of {@link MonitorProcess}. */
final class MonitorSession {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);
    /** That on which the job goes on listens already; if its host is lost in turn, the rank says where the next one is. */
    private static final Duration CONNECT_TIMEOUT_OF_NEXT = Duration.ofSeconds(2);

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SHORTEST_GRACE = Duration.ofMillis(100);
    private static final Duration PAUSE_BETWEEN_CONNECTIONS = Duration.ofSeconds(1);

    private final BufferedReader pipe;
    private final PrintStream rank;
    private final String remark;

    /**
     * Creates a session.
     *
     * @param rank writes each line at once
     * @param remark on this process, for the log
     */
    MonitorSession(InputStream pipe, PrintStream rank, String remark) {
        this.pipe = new BufferedReader(new InputStreamReader(pipe, UTF_8));
        this.rank = rank;
        this.remark = remark;
    }

    /**
     * Runs until the rank says goodbye, or has died and its death is reported; tells it why if that fails.
     *
     * @return whether it has not failed
     */
    boolean run() throws InterruptedException {
        try {
            MonitorOptions options = readOptions();
            Path pidFile = options.pidFile();
            try (HeartbeatFile heartbeats = HeartbeatFile.takeOver(options.heartbeats());
                    MonitorLog log = MonitorLog.open(options.logFile(), options.identity())) {
                if (pidFile == null) {
                    watch(options, heartbeats, log);
                    return true;
                }
                writePid(pidFile);
                try {
                    watch(options, heartbeats, log);
                } finally {
                    OwnFiles.delete(pidFile);
                }
            }
            return true;
        } catch (IOException | RuntimeException e) {
            rank.println(MonitorProcess.FAILED + Printable.of(e.toString()));
            return false;
        }
    }

    private static void writePid(Path file) throws IOException {
        try {
            createDirectoryOf(file);
            OwnFiles.replace(file, ProcessHandle.current().pid() + "\n");
        } catch (IOException e) {
            throw new IOException("monitorProcessPidFile: " + e.getMessage(), e);
        }
    }

    static void createDirectoryOf(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
    }

    private void watch(MonitorOptions options, HeartbeatFile heartbeats, MonitorLog log) throws InterruptedException {
        try (RankStore store = new RankStore(
                options,
                connect(options, CONNECT_TIMEOUT, log),
                moved -> connect(moved, CONNECT_TIMEOUT_OF_NEXT, log),
                log)) {
            log.line("watches process " + options.pid() + remark);
            rank.println(MonitorProcess.READY);
            new RankMonitor(options, heartbeats, store, log, why -> rank.println(MonitorProcess.ENDS + why))
                    .watch(pipe);
        } finally {
            log.line("ends");
        }
    }

    private MonitorOptions readOptions() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line = pipe.readLine(); !MonitorProcess.END_OF_OPTIONS.equals(line); line = pipe.readLine()) {
            if (line == null) {
                Path heartbeats = MonitorOptions.heartbeatsIn(text.toString());
                if (heartbeats != null) {
                    OwnFiles.delete(heartbeats);
                }
                throw new IOException("the rank ended before it sent its options; only a rank starts this program");
            }
            text.append(line).append('\n');
        }
        return MonitorOptions.fromText(text.toString());
    }

    private @Nullable SessionStore connect(MonitorOptions options, Duration limit, MonitorLog log)
            throws InterruptedException {
        StoreAddress address = options.store();
        if (address == null) {
            return null;
        }
        TcpStore.Builder store = TcpStore.builder()
                .host(address.host())
                .port(address.port())
                .scope(address.scope())
                .name("monitor-r" + options.identity().rank())
                .connectTimeout(limit)
                .timeout(STORE_TIMEOUT)
                .reconnectGrace(longer(options.heartbeatTimeout(), SHORTEST_GRACE));
        StoreAccess access = options.access();
        if (access != null) {
            access.applyTo(store);
        }
        return ReconnectingStore.connect(
                new SameRun(store::connect, options),
                PAUSE_BETWEEN_CONNECTIONS,
                log::line,
                () -> rank.println(MonitorProcess.STORE_LOST + address));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}

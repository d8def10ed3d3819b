package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.LogSettings;
import dev.resiliency.launcher.log.CycleLog;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.launcher.log.RankOutput;
import dev.resiliency.launcher.log.server.LogClient;
import dev.resiliency.launcher.log.server.LogServer;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What becomes of the output of a node: its log files if any are kept, and the server that merges those of all nodes. */
final class NodeLogs implements AutoCloseable {
    /** Null if no files are kept. */
    private final @Nullable CycleLog files;
    /** Null without a log server. */
    private final @Nullable LogClient client;
    /** Null if another process has the log server, or there is none. */
    private final @Nullable LogServer server;

    private NodeLogs(@Nullable CycleLog files, @Nullable LogClient client, @Nullable LogServer server) {
        this.files = files;
        this.client = client;
        this.server = server;
    }

    /**
     * Prepares the log files, and starts the log server if this process hosts the store.
     *
     * @throws IOException if that is impossible; says what to do
     */
    static NodeLogs open(LogSettings settings, JobStore store, String jobId, String node, LauncherLog log)
            throws IOException {
        if (settings.prefix() == null) {
            return new NodeLogs(null, null, null);
        }
        LogFiles names = LogFiles.of(settings.prefix());
        if (!settings.server()) {
            createDirectory(names);
            return new NodeLogs(keep(names::ofCycle, null, null, log), null, null);
        }
        LogFiles own = settings.directory() == null ? names : names.in(settings.directory());
        createDirectory(own);
        try {
            return merged(settings, names, own, store, jobId, node, log);
        } catch (LinkageError e) {
            throw new IOException(
                    "a log server needs gRPC, which cannot be used (%s): add resiliency-launcher-rpc and grpc-netty-shaded to the class path"
                            .formatted(e.getMessage()),
                    e);
        }
    }

    private static NodeLogs merged(
            LogSettings settings,
            LogFiles names,
            LogFiles own,
            JobStore store,
            String jobId,
            String node,
            LauncherLog log)
            throws IOException {
        IntFunction<Path> files = cycle -> own.ofNode(cycle, node);
        Secret secret = Secret.fromEnvironment();
        Tls tls = Tls.fromEnvironment();
        LogServer server = store.server() == null
                ? null
                : LogServer.start(
                        new InetSocketAddress(InetAddress.getByName(store.host()), settings.serverPort()),
                        jobId,
                        names,
                        secret,
                        tls,
                        log::line);
        LogClient client = new LogClient(
                files,
                InetSocketAddress.createUnresolved(store.host(), settings.serverPort()),
                node,
                jobId,
                secret,
                tls,
                log::line);
        return new NodeLogs(keep(files, client, server, log), client, server);
    }

    private static void createDirectory(LogFiles names) throws IOException {
        try {
            names.createDirectory();
        } catch (IOException e) {
            throw new IOException("the directory of the log files %s cannot be created: %s".formatted(names, e), e);
        }
    }

    private static CycleLog keep(
            IntFunction<Path> names, @Nullable LogClient client, @Nullable LogServer server, LauncherLog log) {
        CycleLog files = new CycleLog(names, log::line);
        if (client != null) {
            files.addListener(client);
        }
        if (server != null) {
            files.addListener(server);
        }
        log.copyTo(files::add);
        return files;
    }

    /** Returns where the processes of the node write; null if a single one writes to the terminal of this one. */
    @Nullable
    RankOutput output(boolean isShared, LauncherLog log) {
        return isShared
                ? RankOutput.ofSeveral(files, log::line)
                : RankOutput.ofOne(files, log::line).orElse(null);
    }

    /** Brings the last lines to where they belong; other nodes may still send theirs, for some seconds. */
    @Override
    public void close() {
        if (files != null) {
            files.close();
        }
        if (client != null) {
            client.close();
        }
        if (server != null) {
            try {
                server.awaitLastWords();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            server.close();
        }
    }
}

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
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the output of a node: its log files if any are kept, and the server that merges those of all nodes, which is where the
 * store is. Confined to the thread of the agent.
 *
 * <p>Thread {@code resiliency-log-parting} brings the last lines to the server of a store that this agent has left, within the limits of
 * {@link LogClient#close} and {@link LogServer#awaitLastWords}.
 */
final class NodeLogs implements AutoCloseable {
    private final LogSettings settings;
    private final String jobId;
    private final String node;
    private final LauncherLog log;
    /** Null if no files are kept. */
    private final @Nullable CycleLog files;
    /** Null without a log server. */
    private @Nullable Merge merge;
    /** Those that bring the last lines of the stores before to where these belong. */
    private final List<Thread> partings = new ArrayList<>();

    /**
     * How the logs of all nodes are merged on one store.
     *
     * @param server null if another process has it
     */
    private record Merge(LogClient client, @Nullable LogServer server) {
        void addTo(CycleLog files) {
            files.addListener(client);
            if (server != null) {
                files.addListener(server);
            }
        }

        void removeFrom(CycleLog files) {
            files.removeListener(client);
            if (server != null) {
                files.removeListener(server);
            }
        }

        /** Brings the last lines to the server; other nodes may still send theirs, for some seconds. */
        void end() {
            client.close();
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

    private NodeLogs(LogSettings settings, String jobId, String node, LauncherLog log, @Nullable CycleLog files) {
        this.settings = settings;
        this.jobId = jobId;
        this.node = node;
        this.log = log;
        this.files = files;
    }

    /**
     * Prepares the log files.
     *
     * @throws IOException if that is impossible; says what to do
     */
    static NodeLogs open(LogSettings settings, String jobId, String node, LauncherLog log) throws IOException {
        if (settings.prefix() == null) {
            return new NodeLogs(settings, jobId, node, log, null);
        }
        LogFiles own = own(settings, settings.prefix());
        try {
            own.createDirectory();
        } catch (IOException e) {
            throw new IOException("the directory of the log files %s cannot be created: %s".formatted(own, e), e);
        }
        IntFunction<Path> names = settings.server() ? cycle -> own.ofNode(cycle, node) : own::ofCycle;
        CycleLog files = new CycleLog(names, log::line);
        log.copyTo(files::add);
        return new NodeLogs(settings, jobId, node, log, files);
    }

    private static LogFiles own(LogSettings settings, Path prefix) {
        LogFiles names = LogFiles.of(prefix);
        return settings.server() && settings.directory() != null ? names.in(settings.directory()) : names;
    }

    /**
     * Merges the logs of all nodes where the store is from now on, if that is wanted: starts the server there if this process hosts
     * the store. Does not wait for the server before, which may be lost.
     *
     * @throws IOException if that is impossible; says what to do
     */
    void moveTo(JobStore store) throws IOException {
        if (files == null || settings.prefix() == null || !settings.server()) {
            return;
        }
        if (merge != null) {
            merge.removeFrom(files);
            Thread parting = new Thread(merge::end, "resiliency-log-parting");
            parting.setDaemon(true);
            parting.start();
            partings.add(parting);
            merge = null;
        }
        try {
            merge = merge(store, settings.prefix());
            merge.addTo(files);
        } catch (LinkageError e) {
            throw new IOException(
                    "a log server needs gRPC, which cannot be used (%s): add resiliency-launcher-rpc and grpc-netty-shaded to the class path"
                            .formatted(e.getMessage()),
                    e);
        }
    }

    private Merge merge(JobStore store, Path prefix) throws IOException {
        LogFiles own = own(settings, prefix);
        Secret secret = Secret.fromEnvironment();
        Tls tls = Tls.fromEnvironment();
        LogServer server = store.server() == null
                ? null
                : LogServer.start(
                        new InetSocketAddress(InetAddress.getByName(store.host()), settings.serverPort()),
                        jobId,
                        LogFiles.of(prefix),
                        secret,
                        tls,
                        log::line);
        LogClient client = new LogClient(
                cycle -> own.ofNode(cycle, node),
                InetSocketAddress.createUnresolved(store.host(), settings.serverPort()),
                node,
                jobId,
                secret,
                tls,
                log::line);
        return new Merge(client, server);
    }

    /** Returns where the processes of the node write; null if a single one writes to the terminal of this one. */
    @Nullable
    RankOutput output(boolean isShared, LauncherLog log) {
        return isShared
                ? RankOutput.ofSeveral(files, log::line)
                : RankOutput.ofOne(files, log::line).orElse(null);
    }

    /** Brings the last lines to where they belong. */
    @Override
    public void close() {
        if (files != null) {
            files.close();
        }
        if (merge != null) {
            merge.end();
        }
        for (Thread each : partings) {
            try {
                each.join();
            } catch (InterruptedException e) {
                each.interrupt();
                Thread.currentThread().interrupt();
            }
        }
    }
}

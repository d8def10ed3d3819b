package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.MonitorProcessException;
import dev.resiliency.inprocess.internal.monitor.MonitorOptions;
import dev.resiliency.inprocess.internal.monitor.MonitorProcess;
import dev.resiliency.inprocess.internal.monitor.ProcessStart;
import dev.resiliency.inprocess.internal.monitor.StoreAccess;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.settings.Timings;
import dev.resiliency.inprocess.internal.watch.HeartbeatFile;
import dev.resiliency.store.spi.SessionStore;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The monitoring of this rank from outside: its monitor process, and the heartbeat file between the two. */
final class RankMonitoring {
    private final Settings settings;
    private final HeartbeatFile heartbeats;
    private final MonitorProcess process;

    private RankMonitoring(Settings settings, HeartbeatFile heartbeats, MonitorProcess process) {
        this.settings = settings;
        this.heartbeats = heartbeats;
        this.process = process;
    }

    /**
     * Starts the monitor process, unless the agent of this rank is one, which waits for {@link #watch}: its JVM starts while this
     * rank opens its store.
     *
     * <p>It knows the name of the heartbeat file before there is one, so that it deletes it however soon this
     * process is killed.
     *
     * @throws MonitorProcessException if that fails; nothing is left behind
     */
    static RankMonitoring start(Settings settings) {
        int rank = settings.environment().rank();
        Path path = HeartbeatFile.newPath(rank);
        MonitorProcess process = MonitorProcess.start(rank, path, settings.monitorProcessPidFile() != null);
        try {
            return new RankMonitoring(settings, HeartbeatFile.create(path), process);
        } catch (IOException e) {
            process.close();
            throw new MonitorProcessException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Lets the monitor process watch this rank, whose session is {@code store}.
     *
     * @param prefix the prefix of the job's keys
     * @param identity what the job has made of this process
     */
    void watch(SessionStore store, String prefix, Identity identity) {
        process.watch(options(store, prefix, identity));
    }

    /** Lets the monitor process use the store that survivors have founded. */
    void move(SessionStore store, String prefix, Identity identity) {
        process.move(options(store, prefix, identity));
    }

    private MonitorOptions options(SessionStore store, String prefix, Identity identity) {
        Timings timings = settings.timings();
        long pid = ProcessHandle.current().pid();
        return new MonitorOptions(
                identity,
                pid,
                ProcessStart.of(pid),
                heartbeats.path(),
                store.address(),
                StoreAccess.of(store),
                prefix,
                store.renewal(),
                timings.monitorProcessInterval(),
                timings.heartbeatInterval(),
                timings.heartbeatTimeout(),
                timings.softTimeoutFromOutside(),
                timings.hardTimeout(),
                timings.terminationGraceTime(),
                forThisRank(settings.monitorProcessLogFile()),
                forThisRank(settings.monitorProcessPidFile()));
    }

    private @Nullable Path forThisRank(@Nullable String pattern) {
        String rank = Integer.toString(settings.environment().rank());
        return pattern == null ? null : Path.of(pattern.replace("{rank}", rank)).toAbsolutePath();
    }

    HeartbeatFile heartbeats() {
        return heartbeats;
    }

    MonitorProcess process() {
        return process;
    }

    /** Ends the monitor process of a rank that is no member of the job, and deletes the heartbeat file. */
    void close() {
        end(true);
    }

    /**
     * Ends the monitor process, and deletes the heartbeat file.
     *
     * @param isEndKnown whether the others know that this rank has ended; if not, the monitor process reports it
     */
    void end(boolean isEndKnown) {
        try {
            if (isEndKnown) {
                process.close();
            } else {
                process.abandon();
            }
        } finally {
            heartbeats.close();
        }
    }
}

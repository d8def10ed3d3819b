package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.MonitorSettings;
import dev.resiliency.launcher.agent.AgentEvent.Asked;
import dev.resiliency.launcher.agent.AgentEvent.Overdue;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.monitor.RankWatch;
import dev.resiliency.launcher.monitor.RankWatch.Finding;
import dev.resiliency.launcher.monitor.StampDirectory;
import dev.resiliency.monitor.spi.RankStamps;
import dev.resiliency.monitor.spi.StampFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of a node stamp: gives each its file, and turns what {@link RankWatch} finds out into events of the agent. Where
 * there can be no such files, nothing is watched. Confined to the thread of the agent.
 */
final class RankMonitor implements AutoCloseable {
    private final MonitorSettings settings;
    /** Null if there can be none. */
    private final @Nullable StampDirectory directory;

    private final RankWatch watch;
    private final LauncherLog log;
    private final Map<Integer, StampFile> files = new HashMap<>();

    private RankMonitor(MonitorSettings settings, @Nullable StampDirectory directory, LauncherLog log) {
        this.settings = settings;
        this.directory = directory;
        this.log = log;
        watch = new RankWatch(settings, System::nanoTime);
    }

    /** Opens the directory of the files. */
    static RankMonitor open(MonitorSettings settings, Path path, LauncherLog log) {
        try {
            return new RankMonitor(settings, StampDirectory.open(path, left -> {}), log);
        } catch (IOException e) {
            log.line("ranks are not watched, as their files cannot be created (%s)".formatted(e));
            return new RankMonitor(settings, null, log);
        }
    }

    /** Sets what is called when a process asks for something, on another thread; {@link #look} then says for what. */
    void onAsked(Runnable asked) {
        if (directory != null) {
            directory.onAsked(asked);
        }
    }

    /** Creates the file of a process that is to start; returns its path. */
    Optional<String> open(int process) {
        close(process);
        if (directory == null) {
            return Optional.empty();
        }
        try {
            StampFile file = directory.create(process, settings.warmupIterations());
            files.put(process, file);
            return Optional.of(file.path().toString());
        } catch (IOException e) {
            log.line(
                    "process %d of this node is not watched, as its file cannot be created (%s)".formatted(process, e));
            return Optional.empty();
        }
    }

    /** Begins to watch a process that has started. */
    void begin(int process) {
        StampFile file = files.get(process);
        if (file != null) {
            watch.begin(process, file::read);
        }
    }

    /** Returns what a process has stamped; empty if it has no file. */
    Optional<RankStamps> stamps(int process) {
        return Optional.ofNullable(files.get(process)).map(StampFile::read);
    }

    /** Returns the id of the process that stamps; 0 if that is not known. */
    long processOf(int process) {
        return stamps(process).map(RankStamps::pid).orElse(0L);
    }

    /** Ends the watch of a process that has ended; returns what it has asked for at last. */
    Optional<AgentEvent> end(int process) {
        return watch.end(process).map(RankMonitor::event);
    }

    /** Returns how long until {@link #look} is due; empty if it is not. */
    Optional<Duration> untilLook() {
        return watch.untilLook();
    }

    /** Returns what has happened to the processes. */
    List<AgentEvent> look() {
        return watch.look().stream().map(RankMonitor::event).toList();
    }

    private static AgentEvent event(Finding finding) {
        if (finding instanceof Finding.Overdue overdue) {
            return new Overdue(overdue.process(), overdue.reason());
        }
        Finding.Asked asked = (Finding.Asked) finding;
        return new Asked(asked.process(), asked.action(), asked.reason());
    }

    private void close(int process) {
        StampFile file = files.remove(process);
        if (file != null) {
            try {
                file.delete();
            } catch (IOException e) {
                log.line("the file %s cannot be deleted (%s)".formatted(file.path(), e));
            }
        }
    }

    /** Deletes the files. */
    @Override
    public void close() {
        List.copyOf(files.keySet()).forEach(this::close);
        if (directory != null) {
            directory.close();
        }
    }
}

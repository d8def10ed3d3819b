package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.inprocess.spi.RankMonitors;
import dev.resiliency.launcher.MonitorSettings;
import dev.resiliency.launcher.agent.AgentEvent.Asked;
import dev.resiliency.launcher.agent.AgentEvent.Overdue;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.monitor.Progress;
import dev.resiliency.launcher.monitor.RankWatch;
import dev.resiliency.launcher.monitor.RankWatch.Finding;
import dev.resiliency.launcher.monitor.SectionSummary;
import dev.resiliency.launcher.monitor.StampDirectory;
import dev.resiliency.launcher.monitor.TimesKeeper;
import dev.resiliency.launcher.process.ExitReason.Shortage;
import dev.resiliency.launcher.process.NotStartedException;
import dev.resiliency.launcher.process.RunDirectory;
import dev.resiliency.launcher.rendezvous.NodeSession;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.RankRestart;
import dev.resiliency.monitor.spi.RankStamps;
import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.monitor.spi.StoreNote;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.spi.guard.PrivateDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of a node stamp: gives each its file, and turns what {@link RankWatch} finds out into events of the agent. Where
 * there can be no such files, nothing is watched. Confined to the thread of the agent.
 */
final class NodeStamps implements AutoCloseable {
    /** How often nodes share how long their sections take. */
    private static final Duration SHARING = Duration.ofSeconds(30);

    /** How often people get to see how long they take: to read them costs more than all else that an agent does in between. */
    private static final Duration SHOWING = Duration.ofSeconds(5);

    private final MonitorSettings settings;
    /** Null if there can be none. */
    private final @Nullable StampDirectory directory;
    /** Null if each rank starts a monitor process. */
    private final @Nullable RankMonitors monitors;

    private final RankWatch watch;
    /** Null if the times of the job cannot be kept. */
    private final @Nullable TimesKeeper times;

    private final LauncherLog log;
    private final Map<Integer, StampFile> files = new HashMap<>();
    /** Of processes whose store may move. */
    private final Map<Integer, StoreNote> notes = new HashMap<>();
    /** Null before the agent has arrived. */
    private @Nullable NodeSession session;

    /** How the world has changed; null before the node has a seat. */
    private @Nullable WorldEvent world;

    /** Where the store is; null if it does not move. */
    private @Nullable StoreAddress store;

    private List<SectionSummary> shown = List.of();
    private long nextShowing = System.nanoTime();
    private long nextSharing = System.nanoTime() + SHARING.toNanos();
    /** The highest iteration of processes that are gone; -1 if none was in any. */
    private int highestIteration = -1;
    /** The highest step that a rank of this node has pinged, in this run or before its agent was started again. */
    private OptionalLong highestStep = OptionalLong.empty();

    private NodeStamps(MonitorSettings settings, RunDirectory shared, String jobId, String node, LauncherLog log) {
        this.settings = settings;
        this.log = log;
        watch = new RankWatch(settings, System::nanoTime);
        times = times(shared.directory(), jobId);
        directory = stamps(shared, jobId + "\n" + node);
        monitors = directory == null ? null : monitors(directory);
        if (times != null) {
            times.limit(watch);
        }
    }

    /**
     * Opens the directory of the files, and takes what the ranks of an agent have stamped that was killed.
     *
     * @param shared the directory of all agents of this user; if there is none, ranks are watched all the same
     */
    static NodeStamps open(MonitorSettings settings, RunDirectory shared, String jobId, String node, LauncherLog log) {
        return new NodeStamps(settings, shared, jobId, node, log);
    }

    private @Nullable TimesKeeper times(Optional<PrivateDirectory> parent, String jobId) {
        if (parent.isEmpty()) {
            return null;
        }
        try {
            return TimesKeeper.load(settings, TimesKeeper.pathIn(parent.get(), jobId));
        } catch (IOException e) {
            log.line(e.getMessage() + ": the times of this job are not kept; delete it to begin anew");
            return null;
        }
    }

    private @Nullable StampDirectory stamps(RunDirectory shared, String name) {
        try {
            PrivateDirectory parent = shared.directory().orElse(null);
            if (parent == null) {
                return StampDirectory.open(PrivateDirectory.temporary("resiliency-stamps-"), name);
            }
            PrivateDirectory all = parent.child("stamps");
            StampDirectory.takeLeft(all, name, shared::isOfThisProcess, this::collect);
            return StampDirectory.open(all.child(shared.newName()), name);
        } catch (IOException e) {
            log.line("ranks are not watched, as their files cannot be created (%s)".formatted(e));
            return null;
        }
    }

    private @Nullable RankMonitors monitors(StampDirectory beside) {
        try {
            return beside.openMonitors();
        } catch (IOException e) {
            log.line("each wrapped rank starts a monitor process, as this agent cannot be one (%s)".formatted(e));
            return null;
        }
    }

    /** Sets by which session this node shares what it knows with the others. */
    void share(NodeSession ofThisNode) {
        session = ofThisNode;
    }

    /** Sets how the world has changed for processes that start from now on. */
    void changeWorld(WorldEvent event) {
        world = event;
    }

    /**
     * Sets where the store is, for processes that start, or go on, from now on.
     *
     * @param address null if the job ends with its store
     */
    void moveTo(@Nullable StoreAddress address) {
        store = address;
    }

    /** Tells a process, which goes on, where the store is now, and how the world has changed; returns whether it can know. */
    boolean follow(int process) {
        StampFile file = files.get(process);
        StoreNote note = notes.get(process);
        if (file == null || note == null || store == null) {
            return false;
        }
        if (world != null) {
            file.tell(world);
        }
        try {
            note.write(store);
            return true;
        } catch (IOException e) {
            log.line("process %d of this node cannot learn where the store is (%s)".formatted(process, e));
            return false;
        }
    }

    private void collect(StampFile stamps) {
        stamps.read().step().ifPresent(step -> highestStep = OptionalLong.of(Math.max(step, highestStep.orElse(step))));
        if (times != null) {
            times.collect(stamps);
        }
    }

    /**
     * Shares how far the job is, at a restart.
     *
     * @param who starts again, as a word
     * @param result receives how far it was at the restarts before, with this one; empty if that is not known
     */
    void shareProgress(String who, Consumer<String> result) {
        files.values().forEach(this::collect);
        OptionalLong highest = highestStep;
        if (session == null || highest.isEmpty()) {
            result.accept("");
        } else {
            session.shareProgress(before -> Progress.next(before, highest, who), result);
        }
    }

    /** Sets what is called when a process asks for something, on another thread; {@link #look} then says for what. */
    void onAsked(Runnable asked) {
        if (directory != null) {
            directory.onAsked(asked);
        }
    }

    /**
     * Creates the file of a process that is to start; returns its path. A full disk costs the process its watch, and not its start.
     *
     * @throws NotStartedException if descriptors or memory lack, without which it could not be started either
     */
    Optional<String> open(int process) throws NotStartedException {
        close(process);
        if (directory == null) {
            return Optional.empty();
        }
        try {
            StampFile file = directory.create(process, settings.warmupIterations());
            if (world != null) {
                file.tell(world);
            }
            if (store != null) {
                notes.put(process, StoreNote.create(file, store));
            }
            files.put(process, file);
            return Optional.of(file.path().toString());
        } catch (IOException e) {
            if (Shortage.isCauseOf(e)) {
                throw new NotStartedException(new Shortage(String.valueOf(e.getMessage())), e);
            }
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

    /** Returns the highest iteration in which a rank of this node is, or was last; -1 if none was in any. */
    int iteration() {
        return files.values().stream().mapToInt(NodeStamps::iterationOf).reduce(highestIteration, Math::max);
    }

    private static int iterationOf(StampFile file) {
        return file.read().iteration().orElse(-1);
    }

    /** Returns the last restarts that a process has stamped after an iteration, oldest first. */
    List<RankRestart> restartsAfter(int process, int iteration) {
        StampFile file = files.get(process);
        return file == null ? List.of() : file.restartsAfter(iteration);
    }

    /** Returns the id of the process that stamps; 0 if that is not known. */
    long processOf(int process) {
        return stamps(process).map(RankStamps::pid).orElse(0L);
    }

    /** Returns what part a process has in its job. */
    JobPart partOf(int process) {
        return stamps(process).map(RankStamps::part).orElse(JobPart.NONE);
    }

    /** Ends the watch of a process that has ended; returns what it has asked for at last. */
    Optional<AgentEvent> end(int process) {
        StampFile file = files.get(process);
        if (file != null) {
            collect(file);
            share();
        }
        return watch.end(process).map(NodeStamps::event);
    }

    /** Returns how long until {@link #look} is due; empty if it is not. */
    Optional<Duration> untilLook() {
        Duration untilSharing = Duration.ofNanos(Math.max(0, nextSharing - System.nanoTime()));
        return Stream.concat(watch.untilLook().stream(), files.isEmpty() ? Stream.empty() : Stream.of(untilSharing))
                .min(Duration::compareTo);
    }

    /** Shares what the ranks have measured with the other nodes, and takes what they have shared. */
    private void share() {
        nextSharing = System.nanoTime() + SHARING.toNanos();
        TimesKeeper keeper = times;
        if (keeper == null || session == null || !keeper.hasNews()) {
            return;
        }
        keeper.beginSharing();
        session.shareTimes(keeper::merge, now -> {
            try {
                keeper.shared(now);
            } catch (IOException e) {
                log.line("the times of this job cannot be kept (%s)".formatted(e));
            }
            keeper.limit(watch);
        });
    }

    /** Returns how long the sections of the job took, as far as this node knew lately; the times between heartbeats come first. */
    List<SectionSummary> sections() {
        if (times != null && System.nanoTime() - nextShowing >= 0) {
            nextShowing = System.nanoTime() + SHOWING.toNanos();
            files.values().forEach(this::collect);
            shown = times.summary();
        }
        return shown;
    }

    /** Tells all processes that something is about to change. */
    void tell(WorldEvent event) {
        files.values().forEach(file -> file.tell(event));
    }

    /** A rank that has truncated its file is no longer watched; the others are. */
    private void dropBroken() {
        for (Map.Entry<Integer, StampFile> each : List.copyOf(files.entrySet())) {
            if (!each.getValue().isWhole()) {
                log.line("process %d of this node is no longer watched, as its file %s has been truncated"
                        .formatted(each.getKey(), each.getValue().path()));
                watch.end(each.getKey());
                close(each.getKey());
            }
        }
    }

    /** Returns what has happened to the processes. */
    List<AgentEvent> look() {
        dropBroken();
        if (System.nanoTime() - nextSharing >= 0) {
            files.values().forEach(this::collect);
            share();
        }
        return watch.look().stream().map(NodeStamps::event).toList();
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
        notes.remove(process);
        if (file != null) {
            collect(file);
            highestIteration = Math.max(highestIteration, iterationOf(file));
            if (times != null) {
                times.forget(file);
            }
            try {
                file.delete();
            } catch (IOException e) {
                if (!Shortage.isCauseOf(e)) { // else what is left is deleted with the directory
                    log.line("the file %s cannot be deleted (%s)".formatted(file.path(), e));
                }
            }
        }
    }

    /** Keeps what the ranks have measured, and deletes their files. */
    @Override
    public void close() {
        List.copyOf(files.keySet()).forEach(this::close);
        if (times != null) {
            times.summary().stream()
                    .filter(section -> section.count() > 0)
                    .map(section -> "in this run and earlier ones, " + section.line())
                    .forEach(log::line);
            try {
                times.save();
            } catch (IOException e) {
                log.line("the times of this job cannot be kept (%s)".formatted(e));
            }
        }
        if (monitors != null) {
            monitors.close();
        }
        if (directory != null) {
            directory.close();
        }
    }
}

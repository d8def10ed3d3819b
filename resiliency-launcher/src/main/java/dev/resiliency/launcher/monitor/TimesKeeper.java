package dev.resiliency.launcher.monitor;

import dev.resiliency.launcher.MonitorSettings;
import dev.resiliency.monitor.spi.RankTimings;
import dev.resiliency.monitor.spi.RankTimings.Bucket;
import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.store.spi.guard.FileNames;
import dev.resiliency.store.spi.guard.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The times of a job, as one node knows them: what its own ranks have measured since they were shared last, and what all nodes had
 * shared by then. Kept in a file from run to run. Confined to the thread of the agent.
 */
public final class TimesKeeper {
    private final MonitorSettings settings;
    private final TimesFile file;
    /** What earlier runs have kept: counts only where no other node has shared them. */
    private final JobTimes loaded;

    /** What all nodes have shared. */
    private JobTimes shared = new JobTimes();

    /** What the ranks of this node have measured since. */
    private JobTimes own = new JobTimes();

    /** What is being shared. */
    private JobTimes underWay = new JobTimes();

    /** By the path of the stamp file and the section: what was counted already. */
    private final Map<String, RankTimings> counted = new HashMap<>();

    private boolean isSharing;

    private TimesKeeper(MonitorSettings settings, TimesFile file, JobTimes loaded) {
        this.settings = settings;
        this.file = file;
        this.loaded = loaded;
    }

    /**
     * Loads what earlier runs of the job have kept on this node.
     *
     * @throws IOException if the file cannot be used; names it
     */
    public static TimesKeeper load(MonitorSettings settings, Path path) throws IOException {
        TimesFile file = new TimesFile(path);
        return new TimesKeeper(settings, file, file.load());
    }

    /** Returns where the times of a job are kept; creates the directory. */
    public static Path pathIn(PrivateDirectory parent, String jobId) throws IOException {
        return parent.child("times").resolve(FileNames.of(jobId) + ".json");
    }

    /** Takes what a rank has measured since it was asked last. */
    public void collect(StampFile stamps) {
        for (RankTimings timings : stamps.timings()) {
            String key = stamps.path() + "\n" + timings.section();
            RankTimings before = counted.put(key, timings);
            if (before == null) {
                own.add(timings, Map.of());
            } else if (before.count() != timings.count()) {
                own.add(timings, before.counts().stream().collect(Collectors.toMap(Bucket::nanos, Bucket::count)));
            }
        }
    }

    /** Forgets a rank that has ended. */
    public void forget(StampFile stamps) {
        counted.keySet().removeIf(key -> key.startsWith(stamps.path() + "\n"));
    }

    /** Returns whether there is something to share, unless that is under way. */
    public boolean hasNews() {
        return !isSharing && (!own.isEmpty() || (shared.isEmpty() && !loaded.isEmpty()));
    }

    /** Begins to share what is new: {@link #merge} is then called until one result has become what is shared. */
    public void beginSharing() {
        isSharing = true;
        underWay = own;
        own = new JobTimes();
    }

    /** Returns what is to be shared in place of what was; empty for nothing before. What cannot be read is replaced. */
    public String merge(String before) {
        JobTimes merged;
        try {
            merged = before.isEmpty() ? loaded.copy() : JobTimes.parse(before);
        } catch (IOException e) {
            merged = loaded.copy();
        }
        merged.merge(underWay);
        return merged.json();
    }

    /**
     * Notes that this is shared now, and keeps it.
     *
     * @throws IOException if the file cannot be written
     */
    public void shared(String now) throws IOException {
        isSharing = false;
        underWay = new JobTimes();
        shared = JobTimes.parse(now);
        save();
    }

    private JobTimes all() {
        JobTimes all = shared.isEmpty() ? loaded.copy() : shared.copy();
        all.merge(underWay);
        all.merge(own);
        return all;
    }

    /**
     * Keeps all that is known in the file.
     *
     * @throws IOException if it cannot be written
     */
    public void save() throws IOException {
        JobTimes all = all();
        if (!all.isEmpty()) {
            file.save(all);
        }
    }

    /** Returns the limits that follow; none unless they are to be calculated. */
    CalculatedLimits limits() {
        JobTimes known = shared.isEmpty() ? loaded : shared;
        return settings.calculateTimeouts() ? known.limits(settings.safetyFactor()) : CalculatedLimits.NONE;
    }

    /** Sets the limits of the watch. */
    public void limit(RankWatch watch) {
        watch.calculated(limits());
    }

    /** Returns what people are shown of each section, and of the heartbeats. */
    public List<SectionSummary> summary() {
        return all().summary(new EffectiveLimits(settings, limits()));
    }
}

package dev.resiliency.monitor.spi;

import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.monitor.RankMonitorClient;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rank's side of a {@link StampFile}. Safe for use by many threads, which take turns with the lock of the file.
 *
 * @since 0.1.0
 */
public final class StampWriter implements RankMonitorClient {
    /** The name that stands for the times between heartbeats. */
    static final int HEARTBEATS = 0;

    private static final Section UNWATCHED = () -> {};
    private static final Logger LOG = LoggerFactory.getLogger(StampWriter.class);

    /** Null if nobody watches. */
    private final @Nullable SharedFile file;

    private final @Nullable Path path;
    private final LongSupplier clock;
    private final SectionNames names;
    private final SectionSlots slots;
    private final long warmUp;
    /** The step that live state has come to; written by the function's thread. */
    private volatile long reached = -1;
    /** How many events were read. Guarded by the file. */
    private long eventsRead;

    private StampWriter(@Nullable SharedFile file, @Nullable Path path, LongSupplier clock) {
        this.file = file;
        this.path = path;
        this.clock = clock;
        this.warmUp = file == null ? 0 : file.get(StampLayout.WARM_UP);
        this.names = new SectionNames(file);
        this.slots = new SectionSlots(this);
    }

    /** Returns the writer of this process; it does nothing unless an agent has named a file that no other process uses. */
    public static StampWriter ofThisProcess() {
        return OfThisProcess.WRITER;
    }

    private static final class OfThisProcess {
        static final StampWriter WRITER =
                open(System.getenv(StampFile.VARIABLE), ProcessHandle.current().pid(), System::nanoTime);
    }

    /** Returns a writer of this file, for whoever measures or tests what an agent sees. */
    public static StampWriter of(Path path) {
        return open(path.toString(), ProcessHandle.current().pid(), System::nanoTime);
    }

    static StampWriter open(@Nullable String name, long pid, LongSupplier clock) {
        if (name == null || name.isEmpty()) {
            return new StampWriter(null, null, clock);
        }
        try {
            Path path = Path.of(name);
            SharedFile file = StampFile.checked(path);
            if (!take(file, pid)) {
                file.close();
                return new StampWriter(null, null, clock);
            }
            file.set(StampLayout.OPENED, clock.getAsLong());
            return new StampWriter(file, path, clock);
        } catch (IOException | RuntimeException e) {
            LOG.warn("the agent does not see what this rank does, as its file cannot be used: {}", e.toString());
            return new StampWriter(null, null, clock);
        }
    }

    /** Takes the file for this process, unless a live process, such as its parent, owns it. */
    private static boolean take(SharedFile file, long pid) {
        try (FileLock lock = file.tryLock()) {
            return lock != null && isTaken(file, pid);
        } catch (IOException noLocks) { // on this file system
            return isTaken(file, pid);
        }
    }

    private static boolean isTaken(SharedFile file, long pid) {
        if (!file.read()) {
            return false;
        }
        long owner = file.get(StampLayout.PID);
        if (owner == pid) {
            return false; // a second class loader
        }
        if (owner != 0 && ProcessHandle.of(owner).isPresent()) {
            return false;
        }
        file.set(StampLayout.PID, pid);
        file.set(StampLayout.HEARTBEAT, 0);
        file.set(StampLayout.SECTION_USE, 0);
        file.set(StampLayout.LATEST_STEP, 0);
        file.set(StampLayout.REACHED, 0);
        for (int beginning = 0; beginning < StampLayout.BEGINNING_SLOTS; beginning++) {
            file.set(StampLayout.beginning(beginning) + StampLayout.FIRST_STEP, 0);
        }
        file.set(StampLayout.PART, StampLayout.PARTS.indexOf(JobPart.NONE));
        file.set(StampLayout.MEMORY, MemoryUse.NONE.toLong());
        for (int slot = 0; slot < StampLayout.SLOTS; slot++) {
            file.set(StampLayout.slot(slot), 0);
        }
        for (int restart = 0; restart < StampLayout.RESTART_SLOTS; restart++) {
            file.set(StampLayout.restart(restart), 0);
        }
        for (int name = 0; name < StampLayout.NAMES; name++) {
            file.set(StampLayout.timing(name) + StampLayout.COUNT, 0); // its warm-up begins anew
        }
        return true;
    }

    @Override
    public boolean isWatched() {
        return file != null;
    }

    @Override
    public void heartbeat() {
        SharedFile stamps = file;
        if (stamps != null) {
            synchronized (stamps) {
                heartbeat(stamps);
            }
        }
    }

    @Override
    public void ping(long step) {
        SharedFile stamps = file;
        if (stamps != null) {
            synchronized (stamps) {
                int first = StampLayout.beginning(stamps.get(StampLayout.ITERATION)) + StampLayout.FIRST_STEP;
                if (stamps.get(first) == 0) {
                    stamps.set(first, step + 1);
                }
                heartbeat(stamps, step);
            }
        }
    }

    /**
     * Says that this rank makes progress, and a step that it has passed lately: unlike that of a {@link #ping}, it need not be the
     * first one.
     */
    public void passed(long step) {
        SharedFile stamps = file;
        if (stamps != null) {
            synchronized (stamps) {
                heartbeat(stamps, step);
            }
        }
    }

    private void heartbeat(SharedFile stamps, long step) {
        stamps.put(StampLayout.STEP, Math.max(stamps.get(StampLayout.STEP), step + 1));
        stamps.put(StampLayout.LATEST_STEP, step + 1);
        heartbeat(stamps);
    }

    private void heartbeat(SharedFile stamps) {
        long now = clock.getAsLong(); // a counter would not say when, and a hang would be found up to twice as late
        long before = stamps.get(StampLayout.HEARTBEAT);
        stamps.put(StampLayout.HEARTBEAT, now);
        stamps.write(StampLayout.HEARTBEAT, 3 * Long.BYTES); // and the steps behind it
        if (reached >= 0) {
            stamps.set(StampLayout.REACHED, reached + 1);
        }
        if (before != 0) {
            count(stamps, HEARTBEATS, now - before);
        }
    }

    private void count(SharedFile stamps, int name, long nanos) {
        int at = StampLayout.timing(name);
        long before = stamps.get(at + StampLayout.COUNT);
        int slowest = at + (before < warmUp ? StampLayout.SLOWEST_WARM_UP : StampLayout.SLOWEST);
        stamps.put(slowest, Math.max(stamps.get(slowest), nanos));
        stamps.put(at + StampLayout.COUNT, before + 1);
        stamps.write(at, StampLayout.BUCKETS);
        if (before >= warmUp) {
            int bucket = at + StampLayout.BUCKETS + Buckets.of(nanos) * Long.BYTES;
            stamps.set(bucket, stamps.get(bucket) + 1);
        }
    }

    @Override
    public Section section(String name) {
        SharedFile stamps = file;
        if (stamps == null) {
            return UNWATCHED;
        }
        OpenSection section = slots.take();
        if (section == null) {
            synchronized (stamps) {
                stamps.set(StampLayout.DROPPED, stamps.get(StampLayout.DROPPED) + 1);
            }
            return UNWATCHED;
        }
        int number = names.of(name);
        synchronized (stamps) {
            long now = clock.getAsLong();
            section.open(number, now);
            stamps.set(StampLayout.slot(section.slot()) + Long.BYTES, now); // before its name, by which it is found
            stamps.set(StampLayout.slot(section.slot()), number + 1L);
            stamps.set(StampLayout.SECTION_USE, now);
        }
        return section;
    }

    /** Notes that a section has ended, while its slot is still taken. */
    void closed(OpenSection section, boolean isCounted) {
        SharedFile stamps = Objects.requireNonNull(file);
        synchronized (stamps) {
            long now = clock.getAsLong();
            stamps.set(StampLayout.slot(section.slot()), 0);
            stamps.set(StampLayout.SECTION_USE, now);
            if (isCounted) {
                count(stamps, section.name(), now - section.since());
            }
        }
    }

    @Override
    public void endAllSections() {
        if (file != null) {
            slots.endAll();
        }
    }

    @Override
    public void request(WorkloadAction action, String reason) {
        SharedFile stamps = file;
        Path own = path;
        if (stamps == null || own == null) {
            return;
        }
        synchronized (stamps) {
            stamps.setText(StampLayout.REASON, StampLayout.REASON_SIZE, String.valueOf(reason));
            stamps.set(StampLayout.CONTROL, StampLayout.ACTIONS.indexOf(action));
        }
        try {
            Files.writeString(StampFile.controlFile(own), action.name());
        } catch (IOException | RuntimeException e) {
            LOG.warn("the agent sees this rank's request to {} late: {}", action, e.toString());
        }
    }

    @Override
    public Optional<WorldEvent> nextEvent() {
        SharedFile stamps = file;
        if (stamps == null) {
            return Optional.empty();
        }
        synchronized (stamps) {
            if (!stamps.read(StampLayout.EVENTS, Long.BYTES)) {
                return Optional.empty();
            }
            long written = stamps.get(StampLayout.EVENTS);
            if (eventsRead >= written) {
                return Optional.empty();
            }
            long next = Math.max(eventsRead, written - StampLayout.EVENT_SLOTS);
            eventsRead = next + 1;
            int at = StampLayout.event(next);
            return stamps.read(at, StampLayout.EVENT_SIZE) ? event(stamps, at) : Optional.empty();
        }
    }

    private static Optional<WorldEvent> event(SharedFile stamps, int at) {
        long kind = stamps.get(at);
        long worldSizes = stamps.get(at + 2 * Long.BYTES);
        if (kind < 0 || kind >= EventKind.CODES.size()) {
            return Optional.empty(); // of nobody who knows this format
        }
        return Optional.of(EventKind.CODES
                .get((int) kind)
                .event(
                        (int) stamps.get(at + Long.BYTES),
                        (int) (worldSizes >> Integer.SIZE),
                        (int) worldSizes,
                        Instant.ofEpochMilli(stamps.get(at + 3 * Long.BYTES))));
    }

    /**
     * Notes the step that live state has come to, which is written with the next heartbeat: a step costs no write.
     *
     * @param step negative for none
     */
    public void reached(long step) {
        reached = step;
    }

    /** Returns the step that live state has come to; negative if there is none. */
    public long reached() {
        return reached;
    }

    /** Notes by which number the job knows this process, before its first iteration. */
    public void join(int initialRank) {
        SharedFile stamps = file;
        if (stamps != null) {
            stamps.set(StampLayout.RANKS, ranks(initialRank, 0));
        }
    }

    private static long ranks(int initialRank, int active) {
        return (initialRank + 1L) << Integer.SIZE | active;
    }

    /**
     * Notes that the wrapper has entered an iteration.
     *
     * @param activeRank empty for a reserve
     */
    public void enter(int iteration, int initialRank, OptionalInt activeRank) {
        SharedFile stamps = file;
        if (stamps != null) {
            stamps.set(StampLayout.RANKS, ranks(initialRank, activeRank.isPresent() ? activeRank.getAsInt() + 2 : 1));
            synchronized (stamps) {
                if (activeRank.isEmpty()) {
                    stamps.set(StampLayout.LATEST_STEP, 0); // the others continue without it
                }
                int at = StampLayout.beginning(iteration + 1L);
                stamps.set(at + StampLayout.FIRST_STEP, 0); // there is no beginning until there is this
                stamps.set(at, iteration + 1L);
                stamps.set(at + StampLayout.STEP_BEFORE, stamps.get(StampLayout.LATEST_STEP));
                stamps.set(StampLayout.ITERATION, iteration + 1L);
            }
        }
    }

    /**
     * Notes the first step that the function has passed in an iteration: the present one, or the one before.
     *
     * @param before the last one that it has passed in this process before; negative if it has not
     */
    public void began(int iteration, long first, long before) {
        SharedFile stamps = file;
        if (stamps != null) {
            synchronized (stamps) {
                int at = StampLayout.beginning(iteration + 1L);
                if (before >= 0) { // exactly: what was noted may be a few steps older
                    stamps.set(at + StampLayout.STEP_BEFORE, before + 1);
                }
                stamps.set(at + StampLayout.FIRST_STEP, first + 1);
            }
        }
    }

    /** Notes a restart of the wrapper, when the iteration after it has begun. */
    public void restarted(RestartReport report) {
        SharedFile stamps = file;
        if (stamps == null) {
            return;
        }
        int iteration = report.interrupted() + 1;
        int at = StampLayout.restart(iteration);
        synchronized (stamps) {
            stamps.set(at, 0); // until all of it is there
            stamps.put(at + StampLayout.RESTART_KNOWN_AT, report.knownAt());
            stamps.put(at + StampLayout.RESTART_TOTAL, report.total().toNanos());
            for (int phase = 0; phase < StampLayout.PHASES.size(); phase++) {
                Duration duration = report.phases().get(StampLayout.PHASES.get(phase));
                stamps.put(StampLayout.phase(at, phase), duration == null ? 0 : duration.toNanos() + 1);
            }
            stamps.write(at, StampLayout.RESTART_CAUSE);
            stamps.setText(at + StampLayout.RESTART_CAUSE, StampLayout.RESTART_CAUSE_SIZE, report.cause());
            stamps.set(at, iteration + 1L);
        }
    }

    /** Notes what part this process has in its job. */
    public void take(JobPart part) {
        SharedFile stamps = file;
        if (stamps != null) {
            stamps.set(StampLayout.PART, StampLayout.PARTS.indexOf(part));
        }
    }

    /** Notes how full the memory of this process is. */
    public void note(MemoryUse use) {
        SharedFile stamps = file;
        if (stamps != null) {
            stamps.set(StampLayout.MEMORY, use.toLong());
        }
    }

    /** Notes whether memory has run out. Allocates nothing: there may be nothing left. */
    public void noteRanOut(boolean ranOut) {
        SharedFile stamps = file;
        if (stamps != null) {
            synchronized (stamps) {
                stamps.set(StampLayout.MEMORY, MemoryUse.withRanOut(stamps.get(StampLayout.MEMORY), ranOut));
            }
        }
    }

    /**
     * Notes that the wrapper runs no function, but waits for other ranks, so that there is nothing to be late with: ends all sections,
     * and renews the last heartbeat without counting the time since.
     */
    public void rest() {
        SharedFile stamps = file;
        if (stamps != null) {
            slots.endAll();
            renew(stamps);
        }
    }

    /** Renews the last heartbeat without counting the time since, as in a pause of the hang protection. */
    public void renew() {
        SharedFile stamps = file;
        if (stamps != null) {
            renew(stamps);
        }
    }

    private void renew(SharedFile stamps) {
        synchronized (stamps) {
            long now = clock.getAsLong();
            for (int use : new int[] {StampLayout.HEARTBEAT, StampLayout.SECTION_USE}) {
                if (stamps.get(use) != 0) {
                    stamps.set(use, now);
                }
            }
        }
    }
}

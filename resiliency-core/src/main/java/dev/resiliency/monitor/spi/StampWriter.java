package dev.resiliency.monitor.spi;

import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.monitor.RankMonitorClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rank's side of a {@link StampFile}. Safe for use by many threads: each number is written atomically, and what several threads
 * stamp at once is right to one of them.
 *
 * @since 0.1.0
 */
public final class StampWriter implements RankMonitorClient {
    /** The name that stands for the times between heartbeats. */
    static final int HEARTBEATS = 0;

    private static final Section UNWATCHED = () -> {};
    private static final Logger LOG = LoggerFactory.getLogger(StampWriter.class);

    /** Null if nobody watches. */
    private final @Nullable MappedFile file;

    private final @Nullable Path path;
    private final LongSupplier clock;
    private final SectionNames names;
    private final SectionSlots slots;
    private final long warmUp;
    /** How many events were read. Written by any thread. */
    private final AtomicLong eventsRead = new AtomicLong();

    private StampWriter(@Nullable MappedFile file, @Nullable Path path, LongSupplier clock) {
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
            MappedFile file = StampFile.checked(path);
            if (!take(file, pid)) {
                return new StampWriter(null, null, clock);
            }
            file.set(StampLayout.OPENED, clock.getAsLong());
            return new StampWriter(file, path, clock);
        } catch (IOException | RuntimeException e) {
            LOG.warn("the agent does not see what this rank does, as its file cannot be used: {}", e.toString());
            return new StampWriter(null, null, clock);
        }
    }

    /** Takes the file for this process, unless another one uses it: one that this one was started by, for instance. */
    private static boolean take(MappedFile file, long pid) {
        long owner = file.get(StampLayout.PID);
        if (owner == pid) {
            return false; // a second class loader
        }
        if (owner != 0 && ProcessHandle.of(owner).isPresent()) {
            return false;
        }
        if (!file.compareAndSet(StampLayout.PID, owner, pid)) {
            return false;
        }
        file.set(StampLayout.HEARTBEAT, 0);
        file.set(StampLayout.SECTION_USE, 0);
        file.set(StampLayout.PART, StampLayout.PARTS.indexOf(JobPart.NONE));
        file.set(StampLayout.MEMORY, MemoryUse.NONE.toLong());
        for (int slot = 0; slot < StampLayout.SLOTS; slot++) {
            file.set(StampLayout.slot(slot), 0);
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
        MappedFile memory = file;
        if (memory != null) {
            long now = clock.getAsLong();
            long before = memory.get(StampLayout.HEARTBEAT);
            memory.set(StampLayout.HEARTBEAT, now);
            if (before != 0) {
                count(memory, HEARTBEATS, now - before);
            }
        }
    }

    @Override
    public void ping(long step) {
        MappedFile memory = file;
        if (memory != null) {
            memory.raise(StampLayout.STEP, step + 1);
            heartbeat();
        }
    }

    private void count(MappedFile memory, int name, long nanos) {
        int at = StampLayout.timing(name);
        long before = memory.get(at + StampLayout.COUNT);
        if (before < warmUp) {
            memory.raise(at + StampLayout.SLOWEST_WARM_UP, nanos);
        } else {
            memory.raise(at + StampLayout.SLOWEST, nanos);
            memory.add(at + StampLayout.BUCKETS + Buckets.of(nanos) * Long.BYTES, 1);
        }
        memory.add(at + StampLayout.COUNT, 1);
    }

    @Override
    public Section section(String name) {
        MappedFile memory = file;
        if (memory == null) {
            return UNWATCHED;
        }
        OpenSection section = slots.take();
        if (section == null) {
            memory.add(StampLayout.DROPPED, 1);
            return UNWATCHED;
        }
        int number = names.of(name);
        long now = clock.getAsLong();
        section.open(number, now);
        memory.set(StampLayout.slot(section.slot()) + Long.BYTES, now);
        memory.set(StampLayout.slot(section.slot()), number + 1L);
        memory.set(StampLayout.SECTION_USE, now);
        return section;
    }

    /** Notes that a section has ended, while its slot is still taken. */
    void closed(OpenSection section, boolean isCounted) {
        MappedFile memory = Objects.requireNonNull(file);
        long now = clock.getAsLong();
        memory.set(StampLayout.slot(section.slot()), 0);
        memory.set(StampLayout.SECTION_USE, now);
        if (isCounted) {
            count(memory, section.name(), now - section.since());
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
        MappedFile memory = file;
        Path own = path;
        if (memory == null || own == null) {
            return;
        }
        synchronized (this) {
            memory.setText(StampLayout.REASON, StampLayout.REASON_SIZE, String.valueOf(reason));
            memory.set(StampLayout.CONTROL, StampLayout.ACTIONS.indexOf(action));
        }
        try {
            Files.writeString(StampFile.controlFile(own), action.name());
        } catch (IOException | RuntimeException e) {
            LOG.warn("the agent sees this rank's request to {} late: {}", action, e.toString());
        }
    }

    @Override
    public Optional<WorldEvent> nextEvent() {
        MappedFile memory = file;
        if (memory == null) {
            return Optional.empty();
        }
        long written = memory.get(StampLayout.EVENTS);
        long read = eventsRead.get();
        if (read >= written) {
            return Optional.empty();
        }
        long next = Math.max(read, written - StampLayout.EVENT_SLOTS);
        if (!eventsRead.compareAndSet(read, next + 1)) {
            return Optional.empty(); // another thread takes it
        }
        int at = StampLayout.event(next);
        EventKind kind = EventKind.CODES.get((int) memory.get(at));
        long worldSizes = memory.get(at + 2 * Long.BYTES);
        return Optional.of(kind.event(
                (int) memory.get(at + Long.BYTES),
                (int) (worldSizes >> Integer.SIZE),
                (int) worldSizes,
                Instant.ofEpochMilli(memory.get(at + 3 * Long.BYTES))));
    }

    /** Notes that the wrapper has entered an iteration. */
    public void enter(int iteration, OptionalInt activeRank) {
        MappedFile memory = file;
        if (memory != null) {
            memory.set(StampLayout.ACTIVE_RANK, activeRank.isPresent() ? activeRank.getAsInt() + 2L : 1);
            memory.set(StampLayout.ITERATION, iteration + 1L);
        }
    }

    /** Notes what part this process has in its job. */
    public void take(JobPart part) {
        MappedFile memory = file;
        if (memory != null) {
            memory.set(StampLayout.PART, StampLayout.PARTS.indexOf(part));
        }
    }

    /** Notes how full the memory of this process is. */
    public void note(MemoryUse use) {
        MappedFile memory = file;
        if (memory != null) {
            memory.set(StampLayout.MEMORY, use.toLong());
        }
    }

    /** Notes whether memory has run out. Allocates nothing: there may be nothing left. */
    public void noteRanOut(boolean ranOut) {
        MappedFile memory = file;
        if (memory != null) {
            memory.set(StampLayout.MEMORY, MemoryUse.withRanOut(memory.get(StampLayout.MEMORY), ranOut));
        }
    }

    /**
     * Notes that the wrapper runs no function, but waits for other ranks, so that there is nothing to be late with: ends all sections,
     * and renews the last heartbeat without counting the time since.
     */
    public void rest() {
        MappedFile memory = file;
        if (memory != null) {
            slots.endAll();
            renew(memory);
        }
    }

    /** Renews the last heartbeat without counting the time since, as in a pause of the hang protection. */
    public void renew() {
        MappedFile memory = file;
        if (memory != null) {
            renew(memory);
        }
    }

    private void renew(MappedFile memory) {
        long now = clock.getAsLong();
        if (memory.get(StampLayout.HEARTBEAT) != 0) {
            memory.set(StampLayout.HEARTBEAT, now);
        }
        if (memory.get(StampLayout.SECTION_USE) != 0) {
            memory.set(StampLayout.SECTION_USE, now);
        }
    }
}

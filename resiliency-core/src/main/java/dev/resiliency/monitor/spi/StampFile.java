package dev.resiliency.monitor.spi;

import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.monitor.spi.RankStamps.Control;
import dev.resiliency.monitor.spi.RankTimings.Bucket;
import dev.resiliency.store.spi.guard.OwnFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The agent's side of the file between a rank and its agent: the rank stamps what it does, and the agent reads it whenever it
 * likes. The file outlives both. Longs are native; times are those of {@link System#nanoTime}, 0 for never,
 * and those of events milliseconds of the calendar.
 *
 * <pre>
 *       0         8         16    24       32          40        48       56            64            72             80        88        96
 *       +---------+---------+-----+--------+-----------+---------+--------+-------------+-------------+--------------+---------+---------+--------+
 *       | format, | warm-up | pid | opened | heartbeat | highest | latest | section use | iteration+1 | ranks: below | dropped | control | events |
 *       | version |    A    |     |        |           | step+1  | step+1 |             |             |              |         |         |   A    |
 *       +---------+---------+-----+--------+-----------+---------+--------+-------------+-------------+--------------+---------+---------+--------+
 *   104 | number of the part in the job | memory in use: see {@link MemoryUse#toLong}                                                             |
 *       +-----------------------------------------------------------------------------------------------------------------------------------------+
 *   120 | reason of the control request: length, then up to 384 bytes of UTF-8                                                                    |
 *       +-----------------------------------------------------------------------------------------------------------------------------------------+
 *   512 | 8 world events, A, the one of number n at n mod 8: kind | iteration | active ranks before, active ranks (4 bytes each) | time           |
 *       +-----------------------------------------------------------------------------------------------------------------------------------------+
 *   768 | 64 slots of open sections: name+1, 0 if the slot is free | since                                                                        |
 *       +-----------------------------------------------------------------------------------------------------------------------------------------+
 *  1792 | 64 names: length, then up to 56 bytes of UTF-8; name 0 stands for the heartbeats, name 63 for all that are too many                     |
 *       +-----------------------------------------------------------------------------------------------------------------------------------------+
 *  5888 | 64 timings, one for each name: count | slowest warm-up | slowest | 296 counters, eight for each power of two from 2^10 ns on            |
 *       +-----------------------------------------------------------------------------------------------------------------------------------------+
 *       | 8 restarts, the one into iteration n at n mod 8: n+1 | known at | total | each phase+1 | cause: length, up to 256 bytes of UTF-8        |
 *       +-----------------------------------------------------------------------------------------------------------------------------------------+
 *       | step of live state+1                                                                                                                    |
 *       +-----------------------------------------------------------------------------------------------------------------------------------------+
 *       | 8 beginnings, that of iteration n at n+1 mod 8: n+1, 0 without a wrapper | step at which the one before has ended+1 | first step+1      |
 *       +-----------------------------------------------------------------------------------------------------------------------------------------+
 *          A: written by the agent; all else by the rank. The first long is written last, and a file with another one is not used.
 * </pre>
 *
 * <p>The ranks that the process has as a wrapper calls them are the initial one + 1 in the upper half of their word, and the active one + 2
 * in the lower half, or 1 for a reserve. A slot is taken by writing its time and then its name, and freed by its name alone, so a reader that sees a name sees its time.
 * A restart is there once its number is, and a beginning once its first step is. The {@code warm-up} first times of each name in a process are kept apart. Counters may miss an event when two threads count at once.
 *
 * <p>A rank that asks for something writes the reason, then the request, and then creates a file of the same name with {@value
 * #CONTROL_SUFFIX} behind it: the agent watches the directory, so it learns of it at once.
 *
 * <p>Not safe for use by several threads, but while the rank writes.
 *
 * @since 0.1.0
 */
public final class StampFile implements AutoCloseable {
    /** The environment variable by which a rank learns the path of its file. */
    public static final String VARIABLE = "RESILIENCY_MONITOR_FILE";

    /** Ends the name of the file that says that a rank asks for something. */
    public static final String CONTROL_SUFFIX = ".control";

    private final Path path;
    private final SharedFile file;
    private boolean isWhole = true;

    private StampFile(Path path, SharedFile file) {
        this.path = path;
        this.file = file;
    }

    /**
     * Creates the file of a rank.
     *
     * @param warmUp how many of the first times of each section, and of the heartbeats, are kept apart
     */
    public static StampFile create(Path path, int warmUp) throws IOException {
        SharedFile file = SharedFile.create(path, StampLayout.SIZE);
        file.set(StampLayout.WARM_UP, warmUp);
        file.set(StampLayout.FORMAT, StampLayout.MAGIC);
        return new StampFile(path, file);
    }

    /**
     * Opens the file of a rank that another agent has started.
     *
     * @throws IOException if that fails, or it is no such file, or one of another release
     */
    public static StampFile open(Path path) throws IOException {
        return new StampFile(path, checked(path));
    }

    static SharedFile checked(Path path) throws IOException {
        SharedFile file = SharedFile.open(path, StampLayout.SIZE);
        if (!readWhole(file)) {
            file.close();
            throw new IOException("%s is no stamp file of this release".formatted(path));
        }
        return file;
    }

    private static boolean readWhole(SharedFile file) {
        return file.read() && file.get(StampLayout.FORMAT) == StampLayout.MAGIC;
    }

    /** Returns the path of the file. */
    public Path path() {
        return path;
    }

    /** Returns whether the file is still whole; if somebody has truncated it, it says no more than it has said before. */
    public boolean isWhole() {
        isWhole = isWhole && readWhole(file);
        return isWhole;
    }

    /** Returns what the rank has stamped. */
    public RankStamps read() {
        isWhole();
        long iteration = file.get(StampLayout.ITERATION);
        long ranks = file.get(StampLayout.RANKS);
        int initial = (int) (ranks >>> Integer.SIZE);
        int active = (int) ranks;
        return new RankStamps(
                file.get(StampLayout.PID),
                file.get(StampLayout.OPENED),
                file.get(StampLayout.HEARTBEAT),
                isWarmingUp(StampWriter.HEARTBEATS),
                step(StampLayout.STEP),
                step(StampLayout.REACHED),
                beginnings(),
                step(StampLayout.LATEST_STEP),
                file.get(StampLayout.SECTION_USE),
                openSections(),
                control(),
                iteration == 0 ? OptionalInt.empty() : OptionalInt.of((int) iteration - 1),
                initial == 0 ? OptionalInt.empty() : OptionalInt.of(initial - 1),
                active < 2 ? OptionalInt.empty() : OptionalInt.of(active - 2),
                part(),
                MemoryUse.ofLong(file.get(StampLayout.MEMORY)),
                file.get(StampLayout.DROPPED));
    }

    private OptionalLong step(int offset) {
        long step = file.get(offset);
        return step == 0 ? OptionalLong.empty() : OptionalLong.of(step - 1);
    }

    private List<RankStamps.Beginning> beginnings() {
        List<RankStamps.Beginning> beginnings = new ArrayList<>();
        for (int slot = 0; slot < StampLayout.BEGINNING_SLOTS; slot++) {
            int at = StampLayout.beginning(slot);
            OptionalLong first = step(at + StampLayout.FIRST_STEP);
            if (first.isPresent()) {
                beginnings.add(new RankStamps.Beginning(
                        (int) file.get(at) - 1, step(at + StampLayout.STEP_BEFORE), first.getAsLong()));
            }
        }
        beginnings.sort(Comparator.comparingInt(RankStamps.Beginning::iteration));
        return beginnings;
    }

    private JobPart part() {
        int part = (int) file.get(StampLayout.PART);
        return part < 0 || part >= StampLayout.PARTS.size() ? JobPart.NONE : StampLayout.PARTS.get(part);
    }

    private List<RankStamps.OpenSection> openSections() {
        List<RankStamps.OpenSection> open = new ArrayList<>();
        for (int slot = 0; slot < StampLayout.SLOTS; slot++) {
            int name = (int) file.get(StampLayout.slot(slot)) - 1;
            if (name >= 0 && name < StampLayout.NAMES) {
                long since = file.get(StampLayout.slot(slot) + Long.BYTES);
                open.add(new RankStamps.OpenSection(nameOf(name), since, isWarmingUp(name)));
            }
        }
        open.sort(Comparator.comparingLong(RankStamps.OpenSection::since));
        return open;
    }

    private String nameOf(int name) {
        return file.text(StampLayout.name(name), StampLayout.NAME_SIZE);
    }

    private boolean isWarmingUp(int name) {
        return file.get(StampLayout.timing(name) + StampLayout.COUNT) < file.get(StampLayout.WARM_UP);
    }

    private Control control() {
        int action = (int) file.get(StampLayout.CONTROL);
        return action <= 0 || action >= StampLayout.ACTIONS.size()
                ? Control.NONE
                : new Control(StampLayout.ACTIONS.get(action), file.text(StampLayout.REASON, StampLayout.REASON_SIZE));
    }

    /** Returns how long what has ended took; those without any are left out. */
    public List<RankTimings> timings() {
        isWhole();
        List<RankTimings> timings = new ArrayList<>();
        for (int name = 0; name < StampLayout.NAMES; name++) {
            int at = StampLayout.timing(name);
            long count = file.get(at + StampLayout.COUNT);
            if (count > 0) {
                timings.add(new RankTimings(
                        nameOf(name),
                        count,
                        file.get(at + StampLayout.SLOWEST_WARM_UP),
                        file.get(at + StampLayout.SLOWEST),
                        counts(at + StampLayout.BUCKETS)));
            }
        }
        return timings;
    }

    private List<Bucket> counts(int at) {
        List<Bucket> counts = new ArrayList<>();
        for (int bucket = 0; bucket < Buckets.COUNT; bucket++) {
            long count = file.get(at + bucket * Long.BYTES);
            if (count > 0) {
                counts.add(new Bucket(Buckets.middle(bucket), count));
            }
        }
        return counts;
    }

    /** Returns the last restarts of the wrapper in this process that led into an iteration after this one, oldest first. */
    public List<RankRestart> restartsAfter(int iteration) {
        isWhole();
        List<RankRestart> restarts = new ArrayList<>();
        for (int slot = 0; slot < StampLayout.RESTART_SLOTS; slot++) {
            int at = StampLayout.restart(slot);
            if (file.get(at) > iteration + 1L) {
                restarts.add(restart(at));
            }
        }
        restarts.sort(Comparator.comparingInt(RankRestart::iteration));
        return restarts;
    }

    private RankRestart restart(int at) {
        Map<Phase, Duration> phases = new EnumMap<>(Phase.class);
        for (int phase = 0; phase < StampLayout.PHASES.size(); phase++) {
            long nanos = file.get(StampLayout.phase(at, phase));
            if (nanos > 0) {
                phases.put(StampLayout.PHASES.get(phase), Duration.ofNanos(nanos - 1));
            }
        }
        return new RankRestart(
                (int) file.get(at) - 1,
                file.get(at + StampLayout.RESTART_KNOWN_AT),
                Duration.ofNanos(file.get(at + StampLayout.RESTART_TOTAL)),
                phases,
                file.text(at + StampLayout.RESTART_CAUSE, StampLayout.RESTART_CAUSE_SIZE));
    }

    /**
     * Tells the rank of a change of the world; only the last eight that it has not read are kept. Which ranks came or left
     * follows from how many there are.
     */
    public void tell(WorldEvent event) {
        if (!isWhole()) {
            return;
        }
        long number = file.get(StampLayout.EVENTS);
        int at = StampLayout.event(number);
        file.set(at, EventKind.CODES.indexOf(EventKind.of(event)));
        file.set(at + Long.BYTES, event.iteration());
        int before =
                event instanceof WorldEvent.Changed changed ? changed.activeWorldSizeBefore() : event.activeWorldSize();
        file.set(at + 2 * Long.BYTES, (long) before << Integer.SIZE | event.activeWorldSize());
        file.set(at + 3 * Long.BYTES, event.time().toEpochMilli());
        file.set(StampLayout.EVENTS, number + 1);
    }

    /**
     * Deletes the file, and those {@linkplain #besideOwn beside} it, which a process leaves that is killed; one that has
     * them open keeps their memory.
     */
    public void delete() throws IOException {
        close();
        OwnFiles.delete(path);
        try (DirectoryStream<Path> beside =
                Files.newDirectoryStream(path.toAbsolutePath().getParent(), this::isBeside)) {
            for (Path file : beside) {
                OwnFiles.delete(file);
            }
        }
    }

    /** Reads no more; the file stays. */
    @Override
    public void close() throws IOException {
        file.close();
    }

    private boolean isBeside(Path file) {
        return file.getFileName().toString().startsWith(path.getFileName() + ".");
    }

    static Path controlFile(Path path) {
        return beside(path, CONTROL_SUFFIX);
    }

    static Path beside(Path path, String suffix) {
        return path.resolveSibling(path.getFileName() + suffix);
    }

    /**
     * Returns where this process may create a file that the agent deletes once the process has ended, however that
     * happens; empty if no agent has started it.
     *
     * @param suffix ends the name of the file: {@code ".control"}
     */
    public static Optional<Path> besideOwn(String suffix) {
        return Optional.ofNullable(System.getenv(VARIABLE))
                .map(Path::of)
                .filter(Files::isWritable)
                .map(own -> beside(own, suffix));
    }
}

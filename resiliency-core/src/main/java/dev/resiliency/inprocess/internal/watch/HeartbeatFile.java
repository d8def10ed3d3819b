package dev.resiliency.inprocess.internal.watch;

import dev.resiliency.monitor.spi.MappedFile;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.store.spi.guard.OwnFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * A small memory-mapped file in which a rank stamps its heartbeats for its monitor process. It stays readable when the
 * rank dies.
 *
 * <pre>
 *   0           8         16          24       32        40     48     56       64
 *   +-----------+---------+-----------+--------+---------+------+------+--------+
 *   | iteration | entered | automatic | manual | watched | seen | loop | memory |   native longs; stamps are {@link System#nanoTime},
 *   +-----------+---------+-----------+--------+---------+------+------+--------+   which is one clock for all processes of a host
 * </pre>
 *
 * <p>The rank's monitor thread writes the iteration, when it was entered, and each of its own cycles; its watchdog the
 * others; the memory is a {@link MemoryUse}. Each field is read and written atomically. The iteration that the stamps
 * belong to is written after them and read before them, so stamps are never older than the iteration that they are
 * attributed to: those of an iteration that has ended cannot interrupt the next.
 */
public final class HeartbeatFile implements AutoCloseable {
    /** The stamp of a heartbeat that is not in use, such as the manual one before the function has pinged. */
    public static final long NEVER = 0;

    /** The watched iteration while no function is watched. */
    public static final int NONE = -1;

    private static final int SIZE = 8 * Long.BYTES;
    private static final int ITERATION = 0;
    private static final int ENTERED = Long.BYTES;
    private static final int AUTOMATIC = 2 * Long.BYTES;
    private static final int MANUAL = 3 * Long.BYTES;
    private static final int WATCHED = 4 * Long.BYTES;
    private static final int SEEN = 5 * Long.BYTES;
    private static final int LOOP = 6 * Long.BYTES;
    private static final int MEMORY = 7 * Long.BYTES;

    private final Path path;
    private final MappedFile file;

    private HeartbeatFile(Path path, MappedFile file) {
        this.path = path;
        this.file = file;
    }

    /**
     * Returns a name that no other process uses or can guess: in the directory of the agent that has started this
     * process, if one has, otherwise in that for temporary files.
     */
    public static Path newPath(int rank) {
        String name = newName(rank);
        return StampFile.besideOwn("." + name).orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir"), name));
    }

    static Path newPath(Path directory, int rank) {
        return directory.resolve(newName(rank));
    }

    private static String newName(int rank) {
        String random = Long.toUnsignedString(new SecureRandom().nextLong());
        return "resiliency-heartbeat-r" + rank + "-" + random + ".bin";
    }

    /**
     * Creates the file, with no heartbeat in use yet: the start of a process may take longer than the limits that apply
     * to its function.
     *
     * @throws IOException if that fails, such as on a full disk; the message names the directory and its option, and no
     *     file is left
     */
    public static HeartbeatFile create(Path path) throws IOException {
        try {
            HeartbeatFile file = new HeartbeatFile(path, MappedFile.create(path, SIZE));
            file.enter(NONE, NEVER);
            file.stamp(NONE, NONE, NEVER, NEVER);
            file.stampLoop(NEVER);
            return file;
        } catch (IOException e) {
            throw new IOException(
                    "no heartbeat file can be created in " + path.getParent() + " (" + e
                            + "): free space there, or name another directory with -Djava.io.tmpdir",
                    e);
        }
    }

    /** Opens a file that another process has created. */
    static HeartbeatFile open(Path path) throws IOException {
        return new HeartbeatFile(path, MappedFile.open(path, SIZE));
    }

    /**
     * Opens a file that another process has created, and deletes it: both keep its memory, and however they end, no file
     * is left behind.
     */
    public static HeartbeatFile takeOver(Path path) throws IOException {
        HeartbeatFile file = open(path);
        Files.delete(path);
        return file;
    }

    /**
     * Records the iteration that the rank enters, and the time: for the report of its death, and until the watchdog's
     * first check.
     */
    public void enter(int iteration, long now) {
        file.set(ENTERED, now);
        file.set(ITERATION, iteration);
    }

    /**
     * Writes stamps.
     *
     * @param seen the last iteration whose function the watchdog has seen; {@link #NONE} before the first
     * @param watched the iteration that the stamps belong to; {@link #NONE} while the soft timeout applies to none
     * @param manual {@link #NEVER} while the manual heartbeat is not in use
     */
    public void stamp(int seen, int watched, long automatic, long manual) {
        file.set(MANUAL, manual);
        file.set(AUTOMATIC, automatic);
        file.set(WATCHED, watched);
        file.set(SEEN, seen);
    }

    /** Records that the restart loop begins a cycle; {@link #NEVER} when it is over. */
    public void stampLoop(long now) {
        file.set(LOOP, now);
    }

    /** Returns when the restart loop began its latest cycle; {@link #NEVER} if it does not run. */
    public long loop() {
        return longAt(LOOP);
    }

    /** Records how full the memory of the rank is. */
    public void stampMemory(MemoryUse use) {
        file.set(MEMORY, use.toLong());
    }

    /** Records whether memory has run out. Allocates nothing: there may be nothing left. */
    void stampRanOut(boolean ranOut) {
        file.set(MEMORY, MemoryUse.withRanOut(file.get(MEMORY), ranOut));
    }

    /** Returns how full the memory of the rank was when it last recorded that. */
    public MemoryUse memory() {
        return MemoryUse.ofLong(longAt(MEMORY));
    }

    /**
     * The stamps of a rank.
     *
     * @param watched the iteration that may be interrupted by these stamps, or {@link #NONE}
     */
    public record Stamps(int watched, long automatic, long manual) {}

    /** Returns the stamps; in an iteration that the watchdog has not seen yet, the entry counts as a heartbeat. */
    public Stamps stamps() {
        int seen = intAt(SEEN);
        int watched = intAt(WATCHED);
        int iteration = iteration();
        long automatic = longAt(AUTOMATIC);
        long entered = longAt(ENTERED);
        long later = entered - automatic > 0 ? entered : automatic;
        return seen < iteration ? new Stamps(iteration, later, NEVER) : new Stamps(watched, later, longAt(MANUAL));
    }

    public int iteration() {
        return intAt(ITERATION);
    }

    private int intAt(int offset) {
        return (int) longAt(offset);
    }

    private long longAt(int offset) {
        return file.get(offset);
    }

    /** Returns the path of the file. */
    public Path path() {
        return path;
    }

    /** Deletes the file; the other process may have done so before. */
    @Override
    public void close() {
        try {
            OwnFiles.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException("the heartbeat file " + path + " cannot be deleted", e);
        }
    }
}

package dev.resiliency.inprocess.internal.watch;

import dev.resiliency.inprocess.internal.settings.CannotRunException;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.monitor.spi.SharedFile;
import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.store.spi.guard.OwnFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * A small file in which a rank stamps its heartbeats for its monitor process. It stays readable when the rank dies.
 *
 * <pre>
 *   0           8         16          24       32        40     48     56       64
 *   +-----------+---------+-----------+--------+---------+------+------+--------+
 *   | iteration | entered | automatic | manual | watched | seen | loop | memory |   native longs; stamps are {@link System#nanoTime},
 *   +-----------+---------+-----------+--------+---------+------+------+--------+   which is one clock for all processes of a host
 * </pre>
 *
 * <p>The rank's monitor thread writes the iteration, when it was entered, and each of its own cycles; its watchdog the
 * others; the memory is a {@link MemoryUse}. Each writes all fields at once, and the monitor process takes what it has read
 * twice: so stamps are never older than the iteration that they are attributed to, and those of an iteration that has ended
 * cannot interrupt the next. What another process has cut off is there again with the next stamp.
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
    private final SharedFile file;

    private HeartbeatFile(Path path, SharedFile file) {
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
     *     file is left. A {@link CannotRunException} if there is no such directory, or nobody can write to it
     */
    public static HeartbeatFile create(Path path) throws IOException {
        try {
            HeartbeatFile created = new HeartbeatFile(path, SharedFile.create(path, SIZE));
            created.begin();
            created.file.write();
            return created;
        } catch (IOException e) {
            Path directory = path.getParent();
            String message = "no heartbeat file can be created in " + directory + " (" + e
                    + "): free space there, or name another directory with -Djava.io.tmpdir";
            boolean mayPass = directory != null && Files.isDirectory(directory) && Files.isWritable(directory);
            throw mayPass ? new IOException(message, e) : new CannotRunException(message, e);
        }
    }

    /** Opens a file that another process has created. */
    static HeartbeatFile open(Path path) throws IOException {
        HeartbeatFile opened = new HeartbeatFile(path, SharedFile.open(path, SIZE));
        opened.begin();
        return opened;
    }

    private void begin() {
        file.put(ITERATION, NONE);
        file.put(SEEN, NONE);
        file.put(WATCHED, NONE);
    }

    /**
     * Opens a file that another process has created, and deletes it: both keep it open, and however they end, no file
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
        synchronized (file) {
            file.put(ENTERED, now);
            file.put(ITERATION, iteration);
            file.write();
        }
    }

    /**
     * Writes stamps.
     *
     * @param seen the last iteration whose function the watchdog has seen; {@link #NONE} before the first
     * @param watched the iteration that the stamps belong to; {@link #NONE} while the soft timeout applies to none
     * @param manual {@link #NEVER} while the manual heartbeat is not in use
     */
    public void stamp(int seen, int watched, long automatic, long manual) {
        synchronized (file) {
            file.put(MANUAL, manual);
            file.put(AUTOMATIC, automatic);
            file.put(WATCHED, watched);
            file.put(SEEN, seen);
            file.write();
        }
    }

    /** Records that the restart loop begins a cycle; {@link #NEVER} when it is over. */
    public void stampLoop(long now) {
        stamp(LOOP, now);
    }

    private void stamp(int offset, long value) {
        synchronized (file) {
            file.put(offset, value);
            file.write();
        }
    }

    /** Returns when the restart loop began its latest cycle; {@link #NEVER} if it does not run. */
    public long loop() {
        file.readSettled();
        return file.get(LOOP);
    }

    /** Records how full the memory of the rank is. */
    public void stampMemory(MemoryUse use) {
        stamp(MEMORY, use.toLong());
    }

    /** Records whether memory has run out. Allocates nothing: there may be nothing left. */
    void stampRanOut(boolean ranOut) {
        synchronized (file) {
            stamp(MEMORY, MemoryUse.withRanOut(file.get(MEMORY), ranOut));
        }
    }

    /** Returns how full the memory of the rank was when it last recorded that. */
    public MemoryUse memory() {
        file.readSettled();
        return MemoryUse.ofLong(file.get(MEMORY));
    }

    /**
     * The stamps of a rank.
     *
     * @param watched the iteration that may be interrupted by these stamps, or {@link #NONE}
     */
    public record Stamps(int watched, long automatic, long manual) {}

    /** Returns the stamps; in an iteration that the watchdog has not seen yet, the entry counts as a heartbeat. */
    public Stamps stamps() {
        file.readSettled();
        int seen = intAt(SEEN);
        int watched = intAt(WATCHED);
        int iteration = intAt(ITERATION);
        long automatic = file.get(AUTOMATIC);
        long entered = file.get(ENTERED);
        long later = entered - automatic > 0 ? entered : automatic;
        return seen < iteration ? new Stamps(iteration, later, NEVER) : new Stamps(watched, later, file.get(MANUAL));
    }

    public int iteration() {
        file.readSettled();
        return intAt(ITERATION);
    }

    private int intAt(int offset) {
        return (int) file.get(offset);
    }

    /** Returns the path of the file. */
    public Path path() {
        return path;
    }

    /** Deletes the file, unless the other process has done so before, and writes and reads no more. */
    @Override
    public void close() {
        try (file) {
            OwnFiles.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException("the heartbeat file " + path + " cannot be deleted", e);
        }
    }
}

package dev.resiliency.inprocess.internal.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A small memory-mapped file in which a rank leaves the stamps of its heartbeats for its monitor process. What was
 * written stays readable when the rank dies.
 *
 * <pre>
 *   0        8           16       24
 *   +--------+-----------+--------+
 *   | iter.  | automatic | manual |   three native longs; stamps are {@link System#nanoTime}, which is
 *   +--------+-----------+--------+   one clock for all processes of a host
 * </pre>
 *
 * <p>The rank's monitor thread writes the iteration, its watchdog the stamps. Each field is read and written whole; no
 * two need to fit together.
 */
public final class HeartbeatFile implements AutoCloseable {
    /** A manual stamp that says: the function has not pinged in this iteration. */
    public static final long NEVER = 0;

    private static final int SIZE = 3 * Long.BYTES;
    private static final int ITERATION = 0;
    private static final int AUTOMATIC = Long.BYTES;
    private static final int MANUAL = 2 * Long.BYTES;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final Path path;
    private final ByteBuffer memory;

    private HeartbeatFile(Path path, ByteBuffer memory) {
        this.path = path;
        this.memory = memory;
    }

    /** A new file in the directory for temporary files, with a fresh automatic stamp. */
    public static HeartbeatFile create(int rank, long now) throws IOException {
        Path path = Files.createTempFile("resiliency-heartbeat-r" + rank + "-", ".bin");
        Files.write(path, new byte[SIZE]);
        HeartbeatFile file = open(path);
        file.enter(-1);
        file.stamp(now, NEVER);
        return file;
    }

    /** The file that another process has created. */
    static HeartbeatFile open(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new HeartbeatFile(path, channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE));
        }
    }

    /** Says in which iteration the rank is, for the report of its death. */
    public void enter(int iteration) {
        LONGS.setRelease(memory, ITERATION, (long) iteration);
    }

    /** Leaves stamps. {@code manual} is {@link #NEVER} while the manual heartbeat is not in use. */
    public void stamp(long automatic, long manual) {
        LONGS.setRelease(memory, MANUAL, manual);
        LONGS.setRelease(memory, AUTOMATIC, automatic);
    }

    int iteration() {
        return (int) (long) LONGS.getAcquire(memory, ITERATION);
    }

    long automatic() {
        return (long) LONGS.getAcquire(memory, AUTOMATIC);
    }

    long manual() {
        return (long) LONGS.getAcquire(memory, MANUAL);
    }

    /** Where the file is. */
    public Path path() {
        return path;
    }

    /** Deletes the file; the other process may have done so before. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("the heartbeat file " + path + " cannot be deleted", e);
        }
    }
}

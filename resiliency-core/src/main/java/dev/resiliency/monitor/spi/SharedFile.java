package dev.resiliency.monitor.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.spi.guard.OwnFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file of native longs by which a process says what it does to others of its host; it stays readable when that process dies. Each
 * process has an image of it, which it changes before it writes, and reads into.
 *
 * <p>The file is not mapped: another process could truncate it, and then access to the memory would fail at any place. Nor is it a
 * {@link FileChannel}, which an interrupted thread closes. What cannot be written or read any more is left out: no process may end for
 * it.
 *
 * <p>Safe for use by many threads; a thread that changes several longs at once does so while it holds the lock of this object.
 *
 * @since 0.1.0
 */
public final class SharedFile implements AutoCloseable {
    /** Whoever writes all the time keeps nobody from going on. */
    private static final int ATTEMPTS = 10;

    private static final FileAttribute<?>[] OWNER_ONLY =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                    }
                    : new FileAttribute<?>[0];
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final RandomAccessFile file;
    /** Guarded by this, as is the position of the file. */
    private final byte[] image;

    private SharedFile(RandomAccessFile file, int size) {
        this.file = file;
        this.image = new byte[size];
    }

    /**
     * Creates a file of zeros that only its owner may read and write.
     *
     * @throws IOException if that fails, such as on a full disk; then no file is left
     */
    public static SharedFile create(Path path, int size) throws IOException {
        try (FileChannel channel =
                FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY)) {
            try {
                // Takes the room, so that later writes do not fail for want of it.
                ByteBuffer zeros = ByteBuffer.allocate(size);
                while (zeros.hasRemaining()) {
                    channel.write(zeros);
                }
                return open(path, size);
            } catch (IOException e) {
                Files.deleteIfExists(path);
                throw e;
            }
        }
    }

    /**
     * Opens a file that another process has created; nothing has been read from it yet.
     *
     * @throws IOException if that fails
     */
    public static SharedFile open(Path path, int size) throws IOException {
        OwnFiles.open(path).close();
        return new SharedFile(new RandomAccessFile(path.toFile(), "rw"), size);
    }

    /** Reads the file; returns whether it still has its size. If not, or if it cannot be read, the image stays as it is. */
    boolean read() {
        return read(0, image.length);
    }

    /** Reads a part of the file, as {@link #read()} does. */
    synchronized boolean read(int offset, int length) {
        byte[] found = new byte[length];
        if (!read(offset, found)) {
            return false;
        }
        System.arraycopy(found, 0, image, offset, length);
        return true;
    }

    /** Reads the file, as {@link #read()} does, but not what another process has written in part: takes what is there twice. */
    public synchronized boolean readSettled() {
        byte[] found = new byte[image.length];
        byte[] again = new byte[image.length];
        for (int attempt = 0; attempt < ATTEMPTS && read(0, found) && read(0, again); attempt++) {
            if (Arrays.equals(found, again)) {
                System.arraycopy(found, 0, image, 0, found.length);
                return true;
            }
        }
        return false;
    }

    private boolean read(int offset, byte[] target) {
        try {
            file.seek(offset);
            file.readFully(target);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes the image. */
    public void write() {
        write(0, image.length);
    }

    /** Writes a part of the image. */
    synchronized void write(int offset, int length) {
        try {
            file.seek(offset);
            file.write(image, offset, length);
        } catch (IOException e) {
            // Whoever reads the file finds out that it is not whole.
        }
    }

    /** Returns the long at an offset of the image. */
    public synchronized long get(int offset) {
        return (long) LONGS.get(image, offset);
    }

    /** Changes a long of the image. */
    public synchronized void put(int offset, long value) {
        LONGS.set(image, offset, value);
    }

    /** Changes a long of the image, and writes it. */
    synchronized void set(int offset, long value) {
        put(offset, value);
        write(offset, Long.BYTES);
    }

    /** Writes a text of up to {@code size} bytes, its length included; a longer one is shortened, at the end of a character. */
    synchronized void setText(int offset, int size, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        int length = Math.min(bytes.length, size - Long.BYTES);
        while (length < bytes.length && length > 0 && (bytes[length] & 0xC0) == 0x80) {
            length--;
        }
        System.arraycopy(bytes, 0, image, offset + Long.BYTES, length);
        write(offset + Long.BYTES, length);
        set(offset, length);
    }

    /** Returns what {@link #setText} has written. */
    synchronized String text(int offset, int size) {
        int length = (int) Math.max(0, Math.min(get(offset), size - Long.BYTES));
        return new String(image, offset + Long.BYTES, length, UTF_8);
    }

    /** Locks the file against other processes; returns null if one of them has locked it. */
    @Nullable
    FileLock tryLock() throws IOException {
        return file.getChannel().tryLock();
    }

    /** Reads and writes no more; the file stays. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}

package dev.resiliency.monitor.spi;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file of native longs that processes of one host map into their memory. It stays readable when the process that writes it dies.
 * Each long is read and written atomically; a write releases, and a read acquires, what was written before. Safe for use by many
 * threads and processes.
 *
 * @since 0.1.0
 */
public final class MappedFile {
    private static final FileAttribute<?>[] OWNER_ONLY =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                    }
                    : new FileAttribute<?>[0];
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer memory;

    MappedFile(ByteBuffer memory) {
        this.memory = memory;
    }

    /**
     * Creates a file of zeros that only its owner may read and write.
     *
     * @throws IOException if that fails, such as on a full disk; then no file is left
     */
    public static MappedFile create(Path path, int size) throws IOException {
        try (FileChannel channel = FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                OWNER_ONLY)) {
            try {
                // Written before it is mapped: on a full disk this fails, while a first write to the memory would end
                // the process.
                ByteBuffer zeros = ByteBuffer.allocate(size);
                while (zeros.hasRemaining()) {
                    channel.write(zeros);
                }
                return map(channel, size);
            } catch (IOException e) {
                Files.deleteIfExists(path);
                throw e;
            }
        }
    }

    /**
     * Opens a file that another process has created.
     *
     * @throws IOException if that fails, or it has another size
     */
    public static MappedFile open(Path path, int size) throws IOException {
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            if (channel.size() != size) {
                throw new IOException("%s has %d bytes: it must have %d".formatted(path, channel.size(), size));
            }
            return map(channel, size);
        }
    }

    /** Aligned, as mapped memory begins with a page. */
    private static MappedFile map(FileChannel channel, int size) throws IOException {
        return new MappedFile(channel.map(FileChannel.MapMode.READ_WRITE, 0, size));
    }

    /** Returns the long at an offset, which is a multiple of 8. */
    public long get(int offset) {
        return (long) LONGS.getAcquire(memory, offset);
    }

    /** Sets the long at an offset. */
    public void set(int offset, long value) {
        LONGS.setRelease(memory, offset, value);
    }

    /** Adds to the long at an offset; an addition at the same time by another thread may be lost. */
    void add(int offset, long value) {
        LONGS.setOpaque(memory, offset, (long) LONGS.getOpaque(memory, offset) + value);
    }

    /** Raises the long at an offset to a value, if it is less; loses to one that another thread writes at the same time. */
    void raise(int offset, long value) {
        if ((long) LONGS.getOpaque(memory, offset) < value) {
            LONGS.setOpaque(memory, offset, value);
        }
    }

    /** Sets the long at an offset if it is as expected; returns whether it was. */
    boolean compareAndSet(int offset, long expected, long value) {
        return LONGS.compareAndSet(memory, offset, expected, value);
    }

    /** Writes a text of up to {@code size} bytes, its length included; a longer one is shortened, at the end of a character. */
    void setText(int offset, int size, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, size - Long.BYTES);
        while (length < bytes.length && length > 0 && (bytes[length] & 0xC0) == 0x80) {
            length--;
        }
        for (int i = 0; i < length; i++) {
            memory.put(offset + Long.BYTES + i, bytes[i]);
        }
        set(offset, length);
    }

    /** Reads what {@link #setText} has written. */
    String text(int offset, int size) {
        int length = (int) Math.max(0, Math.min(get(offset), size - Long.BYTES));
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = memory.get(offset + Long.BYTES + i);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}

package dev.resiliency.launcher.log.server;

import dev.resiliency.store.spi.guard.OwnFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A log file of this node, and how much of it the server has. Lines are counted from 1 in the file; the server's numbers are the
 * same, unless the server has lines of a file that is not there any more. Confined to one thread.
 */
final class SentFile implements AutoCloseable {
    /** A longer line is sent without its end; a log file of this program has none. */
    static final int CHUNK = 128 << 10;

    private final Path path;
    private final int cycle;
    /** How much of the file was there before this process wrote to it. */
    private final long oldSize;

    private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
    private @Nullable FileChannel channel;
    /** What the server adds to the numbers of this file; negative while that is unknown. */
    private long base = -1;
    /** How many lines the next chunk follows, and where it begins. */
    private long line;

    private long offset;
    private boolean isPositioned;
    /** The number of the last line that was sent. */
    private long lastSent;
    /** That of the last line which the server is known to have. */
    private long acknowledged;
    /** Whether the server has lines of this node that this process has not sent. */
    private boolean hasOthers;

    SentFile(Path path, int cycle, long oldSize) {
        this.path = path;
        this.cycle = cycle;
        this.oldSize = oldSize;
    }

    Path path() {
        return path;
    }

    int cycle() {
        return cycle;
    }

    /** Returns the server's number for the next line to send. */
    long nextNumber() {
        return base + line + 1;
    }

    /**
     * Goes to where the server is, which has lines up to this number. If this process has never been so far, those are the lines of
     * another, and it goes on after what the server has acknowledged.
     */
    void resumeAfter(long number) throws IOException {
        if (base < 0) {
            seek(Long.MAX_VALUE, oldSize);
            base = Math.max(0, number - line); // more than this file had: those were in another one
            lastSent = number;
        }
        hasOthers |= number > lastSent;
        acknowledged = number > lastSent ? acknowledged : number;
        long wanted = Math.max(0, acknowledged - base);
        if (wanted != line) {
            seek(wanted, Long.MAX_VALUE);
        }
        isPositioned = true;
    }

    /** The server has all that was sent. */
    void acknowledge() {
        acknowledged = lastSent;
    }

    /** Returns whether the server has lines of this node that this process has not sent. */
    boolean hasOthers() {
        return hasOthers;
    }

    /** Returns whether it is where the server is, as far as this node knows. */
    boolean isPositioned() {
        return isPositioned;
    }

    /** Forgets where the server is, which may not have got what was sent. */
    void losePosition() {
        isPositioned = false;
    }

    /** Goes behind so many lines, or to this offset if that comes first. */
    private void seek(long lines, long end) throws IOException {
        line = 0;
        offset = 0;
        while (line < lines && offset < end) {
            buffer.clear();
            int length = read();
            if (length <= 0) {
                return;
            }
            for (int at = 0; at < length && line < lines && offset < end; at++) {
                offset++;
                line += buffer.get(at) == '\n' ? 1 : 0;
            }
        }
    }

    /** A line that is not whole yet is not there yet. */
    private int read() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            open = OwnFiles.open(path);
            channel = open;
        }
        return open.read(buffer, offset);
    }

    /** Returns the next whole lines, and goes behind them; empty if there are none. Valid until the next call. */
    ByteBuffer next() throws IOException {
        buffer.clear();
        read();
        int end = buffer.position();
        while (end > 0 && buffer.get(end - 1) != '\n') {
            end--;
        }
        boolean isTooLong = end == 0 && !buffer.hasRemaining();
        buffer.flip();
        if (isTooLong) {
            skipLine();
            return buffer;
        }
        byte[] bytes = buffer.array();
        for (int at = 0; at < end; at++) {
            line += bytes[at] == '\n' ? 1 : 0;
        }
        offset += end;
        lastSent = Math.max(lastSent, base + line);
        return buffer.limit(end);
    }

    /** Goes behind a line whose beginning is in the buffer, if it is whole. */
    private void skipLine() throws IOException {
        FileChannel open = channel;
        ByteBuffer rest = ByteBuffer.allocate(CHUNK);
        long at = offset;
        while (open != null && open.read(rest.clear(), at) > 0) {
            for (int i = 0; i < rest.position(); i++) {
                if (rest.get(i) == '\n') {
                    offset = at + i + 1;
                    line++;
                    return;
                }
            }
            at += rest.position();
        }
        buffer.limit(0);
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }
}

package dev.resiliency.store.tcp.internal.wire;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * The last frames that one end of a session has sent and the other may not have received, oldest first. A frame's
 * position is how many frames the session had sent with it. An event loop owns it.
 */
public final class Unacknowledged {
    private final long maxBytes;
    private final int maxFrames;
    private final Deque<ByteBuf> frames = new ArrayDeque<>(1);
    private long before; // the position of the last frame that is not kept any more
    private long bytes;

    /** Keeps the last frame, and before it at most so many bytes and frames. */
    public Unacknowledged(long maxBytes, int maxFrames) {
        this.maxBytes = maxBytes;
        this.maxFrames = maxFrames;
    }

    /** Keeps the frame, besides whoever writes it, and forgets the oldest over the limits; returns its position. */
    public long add(ByteBuf frame) {
        frames.add(frame.retain());
        bytes += length(frame);
        while (frames.size() > 1 && (bytes > maxBytes || frames.size() > maxFrames)) {
            drop();
        }
        return before + frames.size();
    }

    /** The other end has all frames up to this position; nothing if that was known. */
    public void acknowledge(long position) {
        if (position > before + frames.size()) {
            throw new ProtocolException(
                    "%d frames were received, and %d sent".formatted(position, before + frames.size()));
        }
        while (before < position) {
            drop();
        }
    }

    /** Whether all frames behind this position are kept. */
    public boolean isKeptFrom(long position) {
        return position >= before;
    }

    /** Hands over each frame as it was. */
    public void resend(Consumer<ByteBuf> write) {
        // Slices, for the connection before may have sent a part of a frame.
        frames.forEach(frame -> write.accept(frame.retainedSlice(0, length(frame))));
    }

    public int count() {
        return frames.size();
    }

    public long bytes() {
        return bytes;
    }

    /** Forgets all frames. */
    public void clear() {
        while (!frames.isEmpty()) {
            drop();
        }
    }

    private void drop() {
        ByteBuf oldest = frames.remove();
        before++;
        bytes -= length(oldest);
        oldest.release();
    }

    private static int length(ByteBuf frame) {
        return Frames.LENGTH_BYTES + frame.getInt(0);
    }
}

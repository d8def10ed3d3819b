package dev.resiliency.store.tcp.internal.wire;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * The frames that one end of a session has sent and the other may not have received, oldest first. A frame's position
 * is its number in the session, counted from 1. An event loop owns it.
 */
public final class Unacknowledged {
    private final long maxBytes;
    private final int maxFrames;
    private final Deque<ByteBuf> frames = new ArrayDeque<>(1);
    private long before; // the position of the last frame that is no longer kept
    private long bytes;

    /** Keeps the last frame, and before it at most this many bytes and frames. */
    public Unacknowledged(long maxBytes, int maxFrames) {
        this.maxBytes = maxBytes;
        this.maxFrames = maxFrames;
    }

    /** Retains the frame, drops the oldest ones above the limits, and returns its position. */
    public long add(ByteBuf frame) {
        frames.add(frame.retain());
        bytes += length(frame);
        while (frames.size() > 1 && (bytes > maxBytes || frames.size() > maxFrames)) {
            drop();
        }
        return before + frames.size();
    }

    /** Releases all frames up to this position, which the other end has received. */
    public void acknowledge(long position) {
        if (position > before + frames.size()) {
            throw new ProtocolException(
                    "%d frames were received, and %d sent".formatted(position, before + frames.size()));
        }
        while (before < position) {
            drop();
        }
    }

    /** Returns whether all frames after this position are kept. */
    public boolean isKeptFrom(long position) {
        return position >= before;
    }

    /** Passes each frame to {@code write} once more. */
    public void resend(Consumer<ByteBuf> write) {
        // Slices, as the previous connection may have sent part of a frame.
        frames.forEach(frame -> write.accept(
                frame instanceof LargeFrame large ? large.again() : frame.retainedSlice(0, length(frame))));
    }

    public int count() {
        return frames.size();
    }

    public long bytes() {
        return bytes;
    }

    /** Releases all frames. */
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

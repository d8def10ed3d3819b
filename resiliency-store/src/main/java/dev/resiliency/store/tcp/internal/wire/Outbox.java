package dev.resiliency.store.tcp.internal.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * What is to be sent over a connection and does not fit into its channel yet. Whatever the channel has is in direct
 * memory, of which there is little: so it gets the next piece only once it has sent the one before, and the rest waits
 * here, on the heap, where a large value is shared. The event loop owns it.
 *
 * <p>Small frames pass at once while nothing waits. When more bytes wait than the client may leave unread, and again
 * when enough of them have been sent, the outbox fires itself as an event through the pipeline.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails says so to the pipeline
public final class Outbox {
    /** A record of TLS, and the most direct memory that a client which does not read costs in addition to its channel. */
    static final int PIECE_BYTES = 16 << 10;

    /** A client that has not taken a piece for this long does not read. */
    private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** How many of the largest frames may wait for a client that reads. */
    private static final int MOST_FRAMES = 4;

    private final ChannelHandlerContext context;
    private final SendTurns turns;
    private final Unsent unsent;
    private final long maxUnread;
    private final long maxBytes;
    private final Deque<ByteBuf> frames = new ArrayDeque<>(1);
    private long bytes; // of the frames
    private boolean isListed; // for its turn
    private boolean isSending; // the channel has a piece
    private long lastPiece; // when the channel got or sent it, by the loop's clock
    private boolean isOver; // more is unread than may be
    private boolean isLast; // the connection ends with what waits
    private boolean isClosed;

    /** Creates an outbox that writes from this handler on, to a client that may leave this many bytes unread. */
    public Outbox(ChannelHandlerContext context, SendTurns turns, Unsent unsent, long maxUnread, long largestFrame) {
        this.context = context;
        this.turns = turns;
        this.unsent = unsent;
        this.maxUnread = maxUnread;
        this.maxBytes = maxUnread + MOST_FRAMES * largestFrame;
    }

    /** Sends a frame, or part of one, after all before it; at the latest at the next flush of the channel. */
    public void write(ByteBuf frame) {
        if (mayPass(frame)) {
            context.write(frame, context.voidPromise()); // failures arrive at exceptionCaught
        } else {
            keep(frame);
        }
    }

    /** Sends a frame and all before it. */
    public void writeAndFlush(ByteBuf frame) {
        if (mayPass(frame)) {
            context.writeAndFlush(frame, context.voidPromise());
        } else {
            keep(frame);
            context.flush();
        }
    }

    /** Sends a frame and all before it, and then closes the connection. */
    public void writeLast(ByteBuf frame) {
        if (mayPass(frame) && !isSending) {
            context.writeAndFlush(frame).addListener(ChannelFutureListener.CLOSE);
        } else {
            isLast = true;
            keep(frame);
            context.flush();
        }
    }

    private boolean mayPass(ByteBuf frame) {
        if (!frames.isEmpty() || frame.readableBytes() > PIECE_BYTES) {
            return false;
        }
        if (!context.channel().isWritable()) {
            context.flush(); // a client that reads has room for what has gathered in this turn
        }
        return context.channel().isWritable();
    }

    private void keep(ByteBuf frame) {
        if (isClosed) {
            frame.release();
            return;
        }
        ByteBuf kept = LargeFrame.onHeap(frame);
        frames.add(kept);
        unsent.add(kept);
        bytes += kept.readableBytes();
        if (!isOver && bytes > maxUnread) {
            isOver = true;
            context.fireUserEventTriggered(this);
        }
        list();
    }

    private void list() {
        if (!isListed && !isSending) {
            isListed = true;
            turns.add(this);
        }
    }

    /** Gives the channel the next piece. */
    void sendPiece() {
        isListed = false;
        int left = PIECE_BYTES;
        while (left > 0 && !frames.isEmpty()) {
            ByteBuf part = takePart(left);
            left -= part.readableBytes();
            if (left > 0 && !frames.isEmpty()) {
                context.write(part, context.voidPromise());
            } else {
                isSending = true;
                lastPiece = now();
                context.writeAndFlush(part, context.newPromise().addListener(this::sent));
            }
        }
    }

    private ByteBuf takePart(int most) {
        ByteBuf frame = frames.element();
        int size = Math.min(most, frame.readableBytes());
        bytes -= size;
        if (size < frame.readableBytes()) {
            return frame.readRetainedSlice(size);
        }
        unsent.remove(frame);
        return frames.remove();
    }

    private void sent(Future<?> piece) {
        isSending = false;
        lastPiece = now();
        if (!piece.isSuccess()) {
            if (!isClosed) {
                context.pipeline().fireExceptionCaught(piece.cause());
            }
            return;
        }
        if (isOver && bytes <= maxUnread / 2) {
            isOver = false;
            context.fireUserEventTriggered(this);
        }
        if (!frames.isEmpty()) {
            list();
        } else if (isLast) {
            context.close();
        }
    }

    private long now() {
        return context.executor().ticker().nanoTime();
    }

    /** Returns whether more waits than the client may leave unread. */
    boolean isOver() {
        return isOver;
    }

    /** Returns how many bytes the client may leave unread. */
    long maxUnread() {
        return maxUnread;
    }

    /** Returns the nanoseconds for which the client has not taken a piece; 0 if it is not the client that is waited for. */
    long stalledNanos() {
        return isSending ? now() - lastPiece : 0;
    }

    /**
     * Returns whether the client has more unread than it may, and that is its own doing: it does not read, or is sent far
     * too much.
     */
    public boolean isBehind() {
        return bytes > maxUnread && (stalledNanos() >= STALL_NANOS || bytes > maxBytes || unsent.isFull());
    }

    /** Returns whether a frame would have to wait for others, which the client does read. */
    public boolean isBusy() {
        return !frames.isEmpty() && stalledNanos() < STALL_NANOS;
    }

    /** Forgets all that waits, at the end of the connection. */
    public void close() {
        isClosed = true;
        for (ByteBuf frame : frames) {
            unsent.remove(frame);
            frame.release();
        }
        frames.clear();
        bytes = 0;
    }
}

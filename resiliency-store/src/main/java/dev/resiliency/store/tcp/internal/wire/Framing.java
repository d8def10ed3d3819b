package dev.resiliency.store.tcp.internal.wire;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.IllegalReferenceCountException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Splits the bytes received on a connection into frames or messages, and reports its progress. The event loop owns it.
 *
 * <p>A client that sends many frames at once has a turn of limited time. Then the loop serves the others, and the
 * decoder holds back the rest until the next turn.
 */
public abstract class Framing extends ByteToMessageDecoder {
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private long reads;
    private int framesOfTurn;
    private long turnStart; // measured from the second frame on: most clients send one, and need no clock
    private final Set<Hold> holds = EnumSet.noneOf(Hold.class); // while there is one, reading is switched off
    private final LargeArrival arrival;
    private long releases;
    private boolean isEnding;

    /** Why the server does not read what a client sends. */
    protected enum Hold {
        /** The others have their turn. */
        TURN,
        /** The client has too much unread. */
        UNREAD,
        /** There is no room for the large frame that it has begun. */
        ROOM
    }

    /** Creates one; large frames need room in {@code incoming}, unless it is null. */
    protected Framing(@Nullable Incoming incoming) {
        this.arrival = new LargeArrival(incoming);
    }

    /** Returns the large frame, or part of one, that is arriving. */
    protected final LargeArrival arrival() {
        return arrival;
    }

    /** Begins to gather a large frame, or part of one; if there is no room, the decoder is called again when there is. */
    protected final boolean begin(ChannelHandlerContext context, int length) {
        boolean hasRoom = arrival.begin(
                length,
                // Deferred: it delivers a request, and another one may be in progress.
                () -> context.executor().execute(() -> release(context, Hold.ROOM)));
        if (!hasRoom) {
            hold(context.channel(), Hold.ROOM);
        }
        return hasRoom;
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        arrival.release();
    }

    /** Returns the number of frames so far. */
    public abstract long frames();

    /** Returns a number that grows with each frame, and whenever the time for one begins anew. */
    final long marks() {
        return frames() + releases;
    }

    /** Returns how often something has arrived, be it a part of a frame. */
    public final long reads() {
        return reads;
    }

    /** Returns whether a frame is incomplete. */
    public abstract boolean isAmidFrame();

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        reads++;
        framesOfTurn = 0;
        super.channelRead(context, message);
    }

    /** Returns whether a complete frame may be passed on now. If not, the decoder is called again when it may. */
    @SuppressWarnings("FutureReturnValueIgnored") // resume passes its failures on
    protected final boolean isTurn(ChannelHandlerContext context) {
        if (!holds.isEmpty()) {
            return isEnding && holds.contains(Hold.TURN); // what a client sends before its end still counts
        }
        framesOfTurn++;
        if (framesOfTurn == 1) {
            return true;
        }
        long now = context.executor().ticker().nanoTime();
        if (framesOfTurn == 2) {
            turnStart = now;
        }
        if (now - turnStart < TURN_NANOS) {
            return true;
        }
        hold(context.channel(), Hold.TURN);
        // Scheduled, as the loop would execute a task before it looks at the other connections.
        context.executor().schedule(() -> release(context, Hold.TURN), 1, TimeUnit.NANOSECONDS);
        return false;
    }

    /** Returns whether what the client sends is not read for now. */
    public final boolean isHeld() {
        return !holds.isEmpty();
    }

    /** Switches reading off. */
    final void hold(Channel channel, Hold why) {
        holds.add(why);
        channel.config().setAutoRead(false);
    }

    /** Switches reading on again, unless something else is against it, and passes on what was held back meanwhile. */
    final void release(ChannelHandlerContext context, Hold why) {
        if (context.isRemoved() || !context.channel().isOpen()) {
            return; // its end follows, and passes on the rest
        }
        if (!holds.remove(why) || !holds.isEmpty()) {
            return;
        }
        releases++;
        context.channel().config().setAutoRead(true);
        try {
            channelRead(context, Unpooled.EMPTY_BUFFER);
            channelReadComplete(context);
        } catch (Exception failure) {
            context.fireExceptionCaught(failure);
        }
    }

    /** Where memory ran out as Netty released what had arrived, it fails to do so once more: the connection has ended nevertheless. */
    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        isEnding = true;
        try {
            super.channelInactive(context);
        } catch (IllegalReferenceCountException isReleased) {
            context.fireChannelInactive();
        }
    }

    /**
     * Does not request more data while reading is switched off, see {@link SlowPeerHandler}. Netty's decoder would, as
     * long as it has nothing to pass on, and would then buffer whatever the client keeps sending.
     */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        if (context.channel().config().isAutoRead()) {
            super.channelReadComplete(context);
        } else {
            discardSomeReadBytes();
            context.fireChannelReadComplete();
        }
    }
}

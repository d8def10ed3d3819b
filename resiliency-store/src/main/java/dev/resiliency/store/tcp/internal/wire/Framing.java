package dev.resiliency.store.tcp.internal.wire;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.concurrent.TimeUnit;

/**
 * Splits the bytes received on a connection into frames or messages, and reports its progress. The event loop owns it.
 *
 * <p>A client that sends many frames at once has a turn of limited time. Then the loop serves the others, and the
 * decoder holds back the rest until the next turn.
 */
public abstract class Framing extends ByteToMessageDecoder {
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private int framesOfTurn;
    private long turnStart; // measured from the second frame on: most clients send one, and need no clock
    private boolean isPaused; // until the next turn; reading is switched off
    private boolean isEnding;

    /** Returns the number of frames so far. */
    public abstract long frames();

    /** Returns whether a frame is incomplete. */
    public abstract boolean isAmidFrame();

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        framesOfTurn = 0;
        super.channelRead(context, message);
    }

    /** Returns whether a complete frame may be passed on now. If not, the decoder is called again when it may. */
    @SuppressWarnings("FutureReturnValueIgnored") // resume passes its failures on
    protected final boolean isTurn(ChannelHandlerContext context) {
        if (isPaused || !context.channel().config().isAutoRead()) {
            return isPaused && isEnding; // what a client sends before its end still counts
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
        isPaused = true;
        context.channel().config().setAutoRead(false);
        // Scheduled, as the loop would execute a task before it looks at the other connections.
        context.executor().schedule(() -> resume(context), 1, TimeUnit.NANOSECONDS);
        return false;
    }

    /** Switches reading on again, unless too much is unread, and passes on what was held back meanwhile. */
    void resume(ChannelHandlerContext context) {
        if (context.isRemoved() || !context.channel().isOpen()) {
            return; // its end follows, and passes on the rest
        }
        isPaused = false;
        if (!context.channel().isWritable()) {
            return;
        }
        context.channel().config().setAutoRead(true);
        try {
            channelRead(context, Unpooled.EMPTY_BUFFER);
            channelReadComplete(context);
        } catch (Exception failure) {
            context.fireExceptionCaught(failure);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        isEnding = true;
        super.channelInactive(context);
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

package dev.resiliency.store.tcp.internal.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;

/** Splits the bytes received on a connection into frames or messages, and reports its progress. */
public abstract class Framing extends ByteToMessageDecoder {

    /** Returns the number of frames so far. */
    public abstract long frames();

    /** Returns whether a frame is incomplete. */
    public abstract boolean isAmidFrame();

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

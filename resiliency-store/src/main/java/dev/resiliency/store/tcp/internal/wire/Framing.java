package dev.resiliency.store.tcp.internal.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;

/** Cuts what arrives on a connection into frames, or messages, and tells how far it is. */
public abstract class Framing extends ByteToMessageDecoder {

    /** How many there were. */
    public abstract long frames();

    /** Whether one has begun and not ended. */
    public abstract boolean isAmidFrame();

    /**
     * Asks for nothing more while reading is switched off, see {@link SlowPeerHandler}. Netty's decoder would, for as long as it
     * has nothing to hand on, and then keep all that the client goes on sending.
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

package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.Store;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;

/** Splits the received bytes into frames, without their lengths. They must be small until the handshake is over. */
public final class FrameDecoder extends Framing {
    private WireLimits limits = WireLimits.HANDSHAKE;
    private long frames;

    public void endHandshake(WireLimits limits) {
        this.limits = limits;
    }

    @Override
    public long frames() {
        return frames;
    }

    @Override
    public boolean isAmidFrame() {
        return actualReadableBytes() > 0;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < Frames.LENGTH_BYTES) {
            return;
        }
        long length = in.getUnsignedInt(in.readerIndex());
        if (length > limits.frameBytes()) {
            throw new ProtocolException("a frame of %d bytes is over the limit of %d (%s)"
                    .formatted(length, limits.frameBytes(), Store.Limit.FRAME_BYTES));
        }
        if (in.readableBytes() - Frames.LENGTH_BYTES >= length && isTurn(context)) {
            in.skipBytes(Frames.LENGTH_BYTES);
            byte[] frame = new byte[(int) length];
            in.readBytes(frame);
            out.add(Unpooled.wrappedBuffer(frame));
            frames++;
        }
    }
}

package dev.resiliency.store.tcp.internal;

import dev.resiliency.store.StoreLimit;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Cuts what arrives into frames, without their lengths. They must be small until the handshake is over. */
final class FrameDecoder extends LengthFieldBasedFrameDecoder implements Framing {
    private WireLimits limits = WireLimits.HANDSHAKE;
    private long frames;

    FrameDecoder() {
        super(Integer.MAX_VALUE, 0, Frames.LENGTH_BYTES, 0, Frames.LENGTH_BYTES);
    }

    void endHandshake(WireLimits limits) {
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
    protected @Nullable Object decode(ChannelHandlerContext context, ByteBuf in) throws Exception {
        Object frame = super.decode(context, in);
        frames += frame == null ? 0 : 1;
        return frame;
    }

    @Override
    protected long getUnadjustedFrameLength(ByteBuf buffer, int offset, int length, ByteOrder order) {
        long frame = super.getUnadjustedFrameLength(buffer, offset, length, order);
        if (frame > limits.frameBytes()) {
            throw new ProtocolException("a frame of %d bytes is over the limit of %d (%s)"
                    .formatted(frame, limits.frameBytes(), StoreLimit.FRAME_BYTES));
        }
        return frame;
    }
}

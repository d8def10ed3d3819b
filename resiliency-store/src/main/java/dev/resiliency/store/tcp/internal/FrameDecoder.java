package dev.resiliency.store.tcp.internal;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.nio.ByteOrder;

/** Cuts what arrives into frames, without their lengths. They must be small until the handshake is over. */
final class FrameDecoder extends LengthFieldBasedFrameDecoder {
    private int limit = Frames.MAX_HANDSHAKE_BYTES;

    FrameDecoder() {
        super(Frames.MAX_FRAME_BYTES, 0, Frames.LENGTH_BYTES, 0, Frames.LENGTH_BYTES);
    }

    void endHandshake() {
        limit = Frames.MAX_FRAME_BYTES;
    }

    @Override
    protected long getUnadjustedFrameLength(ByteBuf buffer, int offset, int length, ByteOrder order) {
        long frame = super.getUnadjustedFrameLength(buffer, offset, length, order);
        if (frame > limit) {
            throw new ProtocolException("a frame of %d bytes is over the limit of %d".formatted(frame, limit));
        }
        return frame;
    }
}

package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.spi.StoreLimit;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Splits the received bytes into frames, without their lengths. They must be small until the handshake is over. */
public final class FrameDecoder extends Framing {
    private WireLimits limits = WireLimits.HANDSHAKE;
    private long frames;

    /** Creates a client's decoder, which takes what its server sends. */
    public FrameDecoder() {
        this(null);
    }

    /** Creates a server's decoder; large frames need room in {@code incoming}. */
    public FrameDecoder(@Nullable Incoming incoming) {
        super(incoming);
    }

    public void endHandshake(WireLimits limits) {
        this.limits = limits;
    }

    @Override
    public long frames() {
        return frames;
    }

    @Override
    public boolean isAmidFrame() {
        return actualReadableBytes() > 0 || arrival().isUnderway();
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (arrival().isUnderway()) {
            gather(context, in, out);
        } else {
            begin(context, in, out);
        }
    }

    private void gather(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (arrival().gather(in) && isTurn(context)) {
            pass(arrival().end(in), out);
        }
    }

    private void pass(byte[] frame, List<Object> out) {
        out.add(Unpooled.wrappedBuffer(frame));
        frames++;
    }

    private void begin(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < Frames.LENGTH_BYTES) {
            return;
        }
        long length = in.getUnsignedInt(in.readerIndex());
        if (length > limits.frameBytes()) {
            throw new ProtocolException("a frame of %d bytes is over the limit of %d (%s)"
                    .formatted(length, limits.frameBytes(), StoreLimit.FRAME_BYTES));
        }
        int available = in.readableBytes() - Frames.LENGTH_BYTES;
        if (available >= length && isTurn(context)) {
            in.skipBytes(Frames.LENGTH_BYTES);
            byte[] frame = new byte[(int) length];
            in.readBytes(frame);
            pass(frame, out);
        } else if (LargeArrival.isOf((int) length, available) && begin(context, (int) length)) {
            in.skipBytes(Frames.LENGTH_BYTES);
            gather(context, in, out);
        }
    }
}

package dev.resiliency.store.tcp.internal.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslContext;
import java.util.List;

/** Stands before a server with TLS: it lets in who begins a TLS handshake, and tells who does not that he must. */
public final class TlsGate extends ByteToMessageDecoder {
    /** The first byte of a TLS handshake. */
    public static final int TLS = 22;

    private final SslContext tls;

    public TlsGate(SslContext tls) {
        this.tls = tls;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws RefusedException {
        if (!in.isReadable()) {
            return;
        }
        if (in.getUnsignedByte(in.readerIndex()) == TLS) {
            context.pipeline().replace(this, "tls", tls.newHandler(context.alloc())); // and gives it what has come
        } else {
            in.skipBytes(in.readableBytes());
            throw new RefusedException(
                    Frames.REFUSED_WITHOUT_TLS, "the server requires TLS, and the client does not use it");
        }
    }
}

package dev.resiliency.store.tcp.internal.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslContext;
import java.util.List;

/**
 * Guards a server with TLS: it admits clients that begin a TLS handshake, and tells the others that TLS is required.
 */
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
            // This also passes on the bytes received so far.
            context.pipeline().replace(this, "tls", tls.newHandler(context.alloc()));
        } else {
            in.skipBytes(in.readableBytes());
            throw new RefusedException(
                    Frames.REFUSED_WITHOUT_TLS, "the server requires TLS, and the client does not use it");
        }
    }
}

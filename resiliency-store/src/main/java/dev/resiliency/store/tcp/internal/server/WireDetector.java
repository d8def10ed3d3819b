package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.tcp.internal.pytorch.PyTorchOperation;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Detects by the first byte of a connection whether its client speaks PyTorch's protocol, which begins with 0, or our own. Both
 * pass their requests to sessions of the same keyspace, on the same event loop: {@link PyTorchConnection} and {@link
 * ServerConnection}.
 */
final class WireDetector extends ByteToMessageDecoder {
    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.getByte(in.readerIndex()) == PyTorchOperation.VALIDATE.code()) {
            context.pipeline().get(ServerConnection.class).handOver();
        }
        context.pipeline().remove(this); // the bytes received so far go to the next handler
    }
}

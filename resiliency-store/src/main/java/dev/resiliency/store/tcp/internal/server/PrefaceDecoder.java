package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.tcp.internal.pytorch.PyTorchOperation;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.ProtocolException;
import dev.resiliency.store.tcp.internal.wire.RefusedException;
import dev.resiliency.store.tcp.internal.wire.TlsGate;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.util.List;

/** Decodes the preface of a connection, passes it on, and leaves the rest to the frame decoder. */
public final class PrefaceDecoder extends ByteToMessageDecoder {

    /** The versions of the protocol that the client speaks. */
    public record Preface(int minVersion, int maxVersion) {}

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws IOException {
        if (in.isReadable() && in.getUnsignedByte(in.readerIndex()) == TlsGate.TLS) {
            in.skipBytes(in.readableBytes());
            throw new RefusedException(Frames.REFUSED_TLS_UNKNOWN, "the client uses TLS, and the server does not");
        }
        // A client of another protocol is recognized by its first byte, and may never send as many as a preface has.
        if (in.isReadable() && in.getUnsignedByte(in.readerIndex()) != Frames.MAGIC >>> 24) {
            if (isProbe(in)) {
                in.skipBytes(in.readableBytes());
                throw new IOException(
                        "a rank that has waited long for an answer asked whether this is PyTorch's server");
            }
            throw new ProtocolException(wrongStart(in.getUnsignedByte(in.readerIndex())));
        }
        if (in.readableBytes() < Frames.PREFACE_BYTES) {
            return;
        }
        int magic = in.readInt();
        if (magic != Frames.MAGIC) {
            throw new ProtocolException("the connection begins with 0x%08x".formatted(magic));
        }
        out.add(new Preface(in.readUnsignedShort(), in.readUnsignedShort()));
        context.pipeline().remove(this);
    }

    /** Returns whether it is VALIDATE and the PING of a client of ours, which come together. */
    private static boolean isProbe(ByteBuf in) {
        int ping = in.readerIndex() + 1 + Integer.BYTES;
        return in.writerIndex() > ping + Integer.BYTES
                && in.getByte(in.readerIndex()) == PyTorchOperation.VALIDATE.code()
                && in.getByte(ping) == PyTorchOperation.PING.code()
                && in.getUnsignedIntLE(ping + 1) == PyTorchOperation.PROBE;
    }

    private static String wrongStart(int first) {
        return first == PyTorchOperation.VALIDATE.code()
                ? "it is a client of PyTorch's TCPStore; to admit these, start the server with pytorch(true) or --pytorch"
                : "the connection begins with byte " + first;
    }
}

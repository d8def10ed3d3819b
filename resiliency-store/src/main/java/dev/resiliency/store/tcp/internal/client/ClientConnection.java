package dev.resiliency.store.tcp.internal.client;

import dev.resiliency.store.Value;
import dev.resiliency.store.tcp.internal.wire.FlushQueue;
import dev.resiliency.store.tcp.internal.wire.FrameDecoder;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.Framing;
import dev.resiliency.store.tcp.internal.wire.ProtocolException;
import dev.resiliency.store.tcp.internal.wire.RefusedException;
import dev.resiliency.store.tcp.internal.wire.WireLimits;
import dev.resiliency.store.tcp.internal.wire.WireReader;
import dev.resiliency.store.tcp.internal.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of a connection: it performs the handshake, then belongs to a session, which receives the server's
 * frames. The client's event loop owns it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, and that shows
public final class ClientConnection extends SimpleChannelInboundHandler<ByteBuf> implements FlushQueue.Writer {
    private final ClientHandshake handshake;
    private final Channel channel;
    private final FlushQueue flushes;
    private final CompletableFuture<ClientConnection> welcome;
    private WireLimits limits = WireLimits.HANDSHAKE;
    private @Nullable Greeting greeting;
    private @Nullable Owner owner;
    private @Nullable Throwable cause;

    /** Creates a connection that completes {@code welcome} with itself after the handshake. */
    public ClientConnection(
            ClientHandshake handshake,
            Channel channel,
            FlushQueue flushes,
            CompletableFuture<ClientConnection> welcome) {
        this.handshake = handshake;
        this.channel = channel;
        this.flushes = flushes;
        this.welcome = welcome;
    }

    /**
     * The content of the server's WELCOME.
     *
     * @param session the session that it has opened
     * @param token resumes the session over another connection
     * @param limits the limits of what it accepts
     */
    record Greeting(long session, Value token, WireLimits limits) {}

    /** The owner of a connection after the handshake. */
    interface Owner {
        /** Handles a frame of the server, of this many bytes. */
        void hear(ClientConnection from, Frames.Header header, WireReader body, int bytes);

        /** Handles the end of the connection; {@code cause} is null if the server closed it. */
        void ended(ClientConnection connection, @Nullable Throwable cause);
    }

    void belongTo(Owner session) {
        owner = session;
        if (!channel.isOpen()) {
            // It ended before it had an owner.
            channel.eventLoop().execute(() -> session.ended(this, cause));
        }
    }

    Greeting greeting() {
        return Objects.requireNonNull(greeting);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        ByteBuf preface = channel.alloc().buffer(Frames.PREFACE_BYTES);
        Frames.writePreface(preface);
        channel.write(preface);
        write(Frames.HELLO, 0, handshake::writeHello);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) throws RefusedException {
        int bytes = frame.readableBytes();
        Frames.Header header = Frames.Header.read(frame);
        WireReader body = new WireReader(frame);
        if (greeting == null) {
            agree(header, body);
        } else if (owner != null) {
            owner.hear(this, header, body, bytes);
        }
    }

    private void agree(Frames.Header header, WireReader body) throws RefusedException {
        switch (header.type()) {
            case Frames.CHALLENGE -> {
                Value proof = handshake.prove(body.value());
                write(Frames.PROOF, 0, out -> out.value(proof));
            }
            case Frames.WELCOME -> {
                body.shortOf(); // the version; there is only one
                long session = body.number();
                handshake.check(body.value());
                limits = WireLimits.ofClient(body.varint());
                channel.pipeline().get(FrameDecoder.class).endHandshake(limits);
                greeting = new Greeting(session, body.value(), limits);
                welcome.complete(this);
            }
            case Frames.REFUSED -> throw new RefusedException(body.byteOf(), body.text());
            default ->
                throw new ProtocolException("a frame of type %d arrived instead of a WELCOME".formatted(header.type()));
        }
    }

    void write(int type, long id, Consumer<WireWriter> body) {
        write(Frames.frame(channel.alloc(), limits, type, id, body));
    }

    void write(ByteBuf frame) {
        channel.write(frame, channel.voidPromise()); // failures arrive at exceptionCaught
        flushes.add(this);
    }

    /** Writes a frame that may be sent together with the next one. */
    void writeAlong(int type, long id, Consumer<WireWriter> body) {
        channel.write(Frames.frame(channel.alloc(), type, id, body), channel.voidPromise());
    }

    @Override
    public void flush() {
        channel.flush();
    }

    /** Returns how often something has arrived, be it a part of a frame. */
    long reads() {
        Framing decoder = channel.pipeline().get(FrameDecoder.class);
        return decoder == null ? 0 : decoder.reads(); // null once the channel is closed
    }

    void close() {
        channel.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        if (cause == null) {
            cause = failure instanceof DecoderException && failure.getCause() != null ? failure.getCause() : failure;
        }
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        Throwable how = cause;
        welcome.completeExceptionally(how == null ? new IOException("the server closed the connection") : how);
        if (owner != null) {
            owner.ended(this, how);
        }
    }
}

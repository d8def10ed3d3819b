package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.Value;
import dev.resiliency.store.internal.BackgroundLog;
import dev.resiliency.store.spi.Challenge;
import dev.resiliency.store.tcp.internal.wire.Connection;
import dev.resiliency.store.tcp.internal.wire.FrameDecoder;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.Outbox;
import dev.resiliency.store.tcp.internal.wire.ProtocolException;
import dev.resiliency.store.tcp.internal.wire.RefusedException;
import dev.resiliency.store.tcp.internal.wire.SlowPeerHandler;
import dev.resiliency.store.tcp.internal.wire.TlsFailures;
import dev.resiliency.store.tcp.internal.wire.TlsGate;
import dev.resiliency.store.tcp.internal.wire.WireLimits;
import dev.resiliency.store.tcp.internal.wire.WireReader;
import dev.resiliency.store.tcp.internal.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import javax.crypto.SecretKey;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of a connection: it performs the handshake, passes incoming frames to the session, and writes what
 * the session sends. The server's event loop owns it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, and that shows
public final class ServerConnection extends SimpleChannelInboundHandler<Object> implements Connection {
    private static final BackgroundLog LOG = BackgroundLog.of(ServerConnection.class);

    // Smaller writes are coalesced.
    private static final int SMALL_BYTES = 1 << 10;

    private final ServerState server;
    private final WireLimits limits;
    private final Channel channel;
    private final SocketAddress client; // for the log; never resolved
    private @Nullable ChannelHandlerContext context; // set before anything is written, as the outbox is
    private @Nullable Outbox outbox;
    private PrefaceDecoder.@Nullable Preface preface;
    private @Nullable Challenge challenge;
    private @Nullable ServerSession session;
    private @Nullable ByteBuf last; // a written frame that goes to the channel with the next one or the flush
    private boolean isClosing;
    private boolean isSilent;

    private ServerConnection(ServerState server, Channel channel) {
        this.server = server;
        this.limits = WireLimits.of(server.settings().limits());
        this.channel = channel;
        this.client = channel.remoteAddress();
        server.opened(this);
    }

    /** Makes a channel a connection, if there is a place for it. */
    public static void install(ServerState server, @Nullable SslContext tls, Channel channel) {
        if (!server.admit(channel)) {
            return;
        }
        if (tls != null) {
            channel.pipeline().addLast(new TlsGate(tls));
        }
        if (server.pytorch() != null) {
            channel.pipeline().addLast(new WireDetector());
        }
        FrameDecoder decoder = new FrameDecoder(server.incoming());
        channel.pipeline()
                .addLast(
                        new PrefaceDecoder(),
                        decoder,
                        new ServerConnection(server, channel),
                        new SlowPeerHandler(decoder));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        this.context = context;
        this.outbox = server.newOutbox(context);
    }

    /** Replaces itself with a connection for PyTorch's protocol on the same channel. */
    void handOver() {
        channel.pipeline().remove(PrefaceDecoder.class);
        channel.pipeline().remove(FrameDecoder.class);
        channel.pipeline().remove(SlowPeerHandler.class);
        PyTorchConnection.install(server, Objects.requireNonNull(server.pytorch()), channel);
        channel.pipeline().remove(this);
        server.closed(this);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Object message) {
        if (isClosing) {
            return; // sent before the client learned of it
        }
        if (message instanceof PrefaceDecoder.Preface received) {
            preface = received;
            return;
        }
        ByteBuf frame = (ByteBuf) message;
        Frames.Header header = Frames.Header.read(frame);
        ServerSession talking = session;
        if (talking == null) {
            agree(header, new WireReader(frame, limits, null), Objects.requireNonNull(preface));
        } else {
            carryOut(header, new WireReader(frame, limits, talking::listener, server.texts()), talking);
        }
    }

    private void agree(Frames.Header header, WireReader body, PrefaceDecoder.Preface theirs) {
        int version = Math.min(theirs.maxVersion(), Frames.MAX_VERSION);
        SecretKey secret = server.settings().credentials().secret();
        if (challenge == null && header.type() == Frames.HELLO) {
            if (version < Math.max(theirs.minVersion(), Frames.MIN_VERSION)) {
                String text = "the server speaks versions %d to %d of the protocol, and the client %d to %d"
                        .formatted(Frames.MIN_VERSION, Frames.MAX_VERSION, theirs.minVersion(), theirs.maxVersion());
                turnAway(Frames.REFUSED_VERSION, text);
            } else if (secret == null) {
                greet(version, body.text(), body.value());
            } else {
                challenge(body.text(), body.value());
            }
        } else if (challenge != null && secret != null && header.type() == Frames.PROOF) {
            verify(version, challenge, secret, body.value());
        } else {
            throw new ProtocolException("a frame of type %d arrived instead of a %s"
                    .formatted(header.type(), challenge == null ? "hello" : "proof"));
        }
    }

    private void greet(int version, String scope, Value nonce) {
        if (nonce.size() > 0) {
            turnAway(Frames.REFUSED_SECRET_UNKNOWN, "the server has no secret");
        } else {
            open(version, scope, Value.empty());
        }
    }

    private void challenge(String scope, Value nonce) {
        if (nonce.size() == 0) {
            turnAway(Frames.REFUSED_WITHOUT_SECRET, "the server requires a secret");
        } else {
            Frames.checkNonce(nonce);
            Value ours = Challenge.newNonce();
            challenge = new Challenge(nonce, ours, scope);
            write(Frames.CHALLENGE, 0, out -> out.value(ours));
        }
    }

    private void verify(int version, Challenge challenge, SecretKey secret, Value proof) {
        if (Challenge.isSame(challenge.clientProof(secret), proof)) {
            open(version, challenge.scope(), challenge.serverProof(secret));
        } else {
            turnAway(Frames.REFUSED_WRONG_SECRET, "the client's secret is wrong");
        }
    }

    private void open(int version, String scope, Value proof) {
        String served = server.settings().scope();
        if (!scope.equals(served)) {
            String text = "the server serves the scope '%s', not '%s'".formatted(served, scope);
            turnAway(Frames.REFUSED_SCOPE, text);
            return;
        }
        server.completedHandshake(channel);
        channel.pipeline().get(FrameDecoder.class).endHandshake(limits);
        ServerSession opened = server.sessions().open(server, this);
        session = opened;
        Value token = opened.token();
        write(
                Frames.WELCOME,
                0,
                out -> out.shortOf(version)
                        .number(opened.id())
                        .value(proof)
                        .varint(limits.frameBytes())
                        .value(token));
        LOG.debug("Opened session {} for {}", opened.id(), client);
    }

    private void turnAway(int code, String text) {
        if (code != Frames.REFUSED_SCOPE) { // a client that is too early retries
            server.warnings().warn("Refused {}: {}", client, text);
        }
        sendLast(Frames.REFUSED, out -> out.byteOf(code).text(text));
    }

    private void carryOut(Frames.Header header, WireReader body, ServerSession session) {
        switch (header.type()) {
            case Frames.REQUEST -> session.request(header.id(), body);
            case Frames.CANCEL -> session.cancel(header.id());
            case Frames.RECEIVED -> session.acknowledge(header.id());
            case Frames.PING -> write(Frames.PONG, session.ping(), nothing -> {});
            case Frames.GOODBYE -> {
                session.goodbye();
                close();
            }
            case Frames.KEEP -> session.keep(body.duration());
            case Frames.RESUME -> resume(header.id(), body, session);
            default -> throw new ProtocolException("a client may not send frames of type " + header.type());
        }
    }

    private void resume(long attempt, WireReader body, ServerSession opened) {
        long id = body.number();
        Value token = body.value();
        long received = body.number();
        Duration grace = body.duration();
        opened.goodbye();
        if (!server.keyspace().isMine(id, token)) {
            turnAway(Frames.REFUSED_SESSION, "this server did not open the session that the client resumes");
            return;
        }
        ServerSession resumed = server.sessions().find(id);
        session = resumed;
        if (resumed == null) {
            sendLast(
                    Frames.EXPIRED,
                    out -> out.text(
                            "the session has ended: its connection was closed, or its lease was"
                                    + " not renewed, while its owner was unreachable; the owner counts as dead and must leave"));
        } else {
            resumed.keep(grace); // since everything that was sent may have been lost, including the first frame
            resumed.resume(this, attempt, received);
        }
    }

    SocketAddress client() {
        return client;
    }

    /** Returns whether the client does not read what it is sent, and already has more unread than it may. */
    boolean isBehind() {
        return outbox().isBehind();
    }

    /** Returns whether the server itself keeps the client from answering: it reads nothing, or has much to send before. */
    boolean isHeld() {
        return outbox().isBusy() || channel.pipeline().get(FrameDecoder.class).isHeld();
    }

    /** Returns what sends from this handler on: none of those after it handles outgoing data, and passing each costs time. */
    private Outbox outbox() {
        return Objects.requireNonNull(outbox);
    }

    void write(int type, long id, Consumer<WireWriter> body) {
        write(Frames.frame(channel.alloc(), limits, type, id, body));
    }

    void write(ByteBuf frame) {
        if (isClosing) {
            frame.release();
            return;
        }
        passOn();
        if (frame.readableBytes() > SMALL_BYTES) {
            outbox().write(frame);
        } else {
            last = frame;
        }
        server.flushes().add(this);
    }

    private void passOn() {
        ByteBuf frame = last;
        if (frame != null) {
            last = null;
            outbox().write(frame);
        }
    }

    @Override
    public void flush() {
        ByteBuf frame = last;
        if (frame == null) {
            Objects.requireNonNull(context).flush();
        } else {
            last = null;
            outbox().writeAndFlush(frame);
        }
    }

    void sendLast(int type, Consumer<WireWriter> body) {
        isClosing = true;
        passOn();
        outbox().writeLast(Frames.frame(channel.alloc(), type, 0, body));
    }

    /** Closes the connection because of what the client did. */
    void refuse(String why) {
        if (!isClosing) {
            isClosing = true;
            server.warnings().warn("Closed the connection of {}: {}", client, why);
            channel.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable reason = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (reason instanceof ProtocolException || reason instanceof DecoderException) {
            refuse(String.valueOf(reason.getMessage()));
        } else if (reason instanceof RefusedException refused) {
            if (!isClosing) {
                turnAway(refused.code(), String.valueOf(refused.getMessage()));
            }
        } else if (reason instanceof SSLException failure && session == null) {
            refuse("TLS failed: " + TlsFailures.describe(failure));
        } else if (reason instanceof OutOfMemoryError full) {
            refuse("out of memory for what it sends: " + full.getMessage());
        } else if (reason instanceof IOException failure) {
            LOG.debug("Lost the connection of {}: {}", client, String.valueOf(reason.getMessage()));
            isSilent |= PeerSilence.isCauseOf(failure);
            channel.close();
        } else {
            LOG.error("Closed the connection of {} because of a defect of the store", client, reason);
            channel.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        isClosing = true;
        outbox().close();
        if (session != null && isSilent) {
            session.silent(this);
        } else if (session != null) {
            session.ended(this);
        }
        server.closed(this);
        context.fireChannelInactive();
    }

    @Override
    public void close() {
        isClosing = true;
        channel.close();
    }

    @Override
    public String toString() {
        return "the connection of " + client;
    }
}

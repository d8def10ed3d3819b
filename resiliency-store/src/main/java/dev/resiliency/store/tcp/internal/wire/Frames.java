package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Challenge;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.Consumer;

/**
 * The frames that client and server exchange. All numbers are big-endian; a {@code varint} has seven bits in each byte,
 * the lowest first, and the top bit set in all but the last.
 *
 * <p>A connection opens with the client's preface, and its first frame is a HELLO. A server without a secret answers
 * with a WELCOME. One with a secret answers with a CHALLENGE, the client with a PROOF, and the server with a WELCOME,
 * which proves that it knows the secret as well: {@link Challenge}. Instead, the server may send a REFUSED and close
 * the connection. Until the WELCOME neither side accepts anything else, or any frame over 16 KiB. The preface and these
 * five frames are the same in all versions of the protocol. The first byte of the preface is not 0, which PyTorch's own
 * protocol begins with.
 *
 * <pre>
 * preface   +---+---+---+---+---+---+---+---+
 *           |'R'|'S'|'L'|'Y'|  min  |  max  |    versions that the client speaks
 *           +---+---+---+---+---+---+---+---+
 * frame     +---+---+---+---+---+---+- -+---+-----
 *           |    length     |typ|    id     | body    length counts what follows it; id is 8 bytes long
 *           +---+---+---+---+---+---+- -+---+-----
 *
 * type            from     id       body
 *  1  HELLO       client   0        scope text, nonce value (32 bytes; none without a secret)
 *  2  REQUEST     client   request  timeout i64 (nanoseconds), count varint, operations: {@link OperationCodec}
 *  3  CANCEL      client   request  -
 *  4  GOODBYE     client   0        -
 *  5  PROOF       client   0        proof value (32 bytes)
 *  6  KEEP        client   0        grace i64 (nanoseconds)
 *  7  RESUME      client   attempt  session i64, token value (32 bytes), received i64, grace i64
 *  8  RECEIVED    client   received -
 *  9  PING        client   0        -
 * 16  WELCOME     server   0        version u16, session i64, proof value (32 bytes; none without a secret),
 *                                   the most bytes of a frame varint, token value (32 bytes)
 * 17  REFUSED     server   0        code u8, message text; codes: 1 version, 2 scope, 3 client without a secret,
 *                                   4 wrong secret, 5 server without a secret, 6 server without TLS, 7 client
 *                                   without TLS, both sent unencrypted; 9 unknown session
 * 18  REPLY       server   request  count varint, results: {@link ResultCodec}
 * 19  FAILURE     server   request  failure: {@link FailureCodec}
 * 20  PUSH        server   watch    key text (only of a watch of a prefix), change: {@link ResultCodec}
 * 21  EXPIRED     server   0        message text
 * 22  CHALLENGE   server   0        nonce value (32 bytes)
 * 23  RESUMED     server   received -
 * 24  PONG        server   received -
 * 25  CLOSING     server   0        -
 * 26  PROBE       server   0        -
 * </pre>
 *
 * <p>A REQUEST of id 0 gets no answer. Each of the others gets one REPLY or FAILURE, in any order, unless a CANCEL
 * withdraws it. After a GOODBYE the server closes the connection. Before it sends a CLOSING it has ended all sessions.
 * Every frame of a session renews its lease; a client answers a PROBE, sent when the lease is about to expire, with a
 * RECEIVED.
 *
 * <p>A client that may return after a loss of its connection sends KEEP before its first REQUEST. From then on both
 * sides count the frames of the session - REQUEST, CANCEL, GOODBYE, and REPLY, FAILURE, PUSH - and keep those that the
 * other may not have received. {@code received} is how many of the other side's have arrived. The client reports it now
 * and then in a RECEIVED; the server in a PONG, which answers a PING, and implicitly with each REPLY or FAILURE, as it
 * processes frames in order. On another connection, after the WELCOME, a RESUME replaces the session that the
 * connection was opened with by the earlier one. The server answers with RESUMED, or EXPIRED if that session has ended,
 * or REFUSED if it never had it; then each side resends, in order, what the other has not received. Attempts are
 * numbered from 1 within a session, and a server ignores a RESUME that arrives after a later one.
 */
public final class Frames {
    /** {@code RSLY}. */
    public static final int MAGIC = 0x52534C59;

    public static final int PREFACE_BYTES = 8;
    public static final int MIN_VERSION = 1;
    public static final int MAX_VERSION = 1;

    public static final int HELLO = 1;
    public static final int REQUEST = 2;
    public static final int CANCEL = 3;
    public static final int GOODBYE = 4;
    public static final int PROOF = 5;
    public static final int KEEP = 6;
    public static final int RESUME = 7;
    public static final int RECEIVED = 8;
    public static final int PING = 9;
    public static final int WELCOME = 16;
    public static final int REFUSED = 17;
    public static final int REPLY = 18;
    public static final int FAILURE = 19;
    public static final int PUSH = 20;
    public static final int EXPIRED = 21;
    public static final int CHALLENGE = 22;
    public static final int RESUMED = 23;
    public static final int PONG = 24;
    public static final int CLOSING = 25;
    public static final int PROBE = 26;

    public static final int REFUSED_VERSION = 1;
    public static final int REFUSED_SCOPE = 2;
    public static final int REFUSED_WITHOUT_SECRET = 3;
    public static final int REFUSED_WRONG_SECRET = 4;
    public static final int REFUSED_SECRET_UNKNOWN = 5;
    public static final int REFUSED_TLS_UNKNOWN = 6;
    public static final int REFUSED_WITHOUT_TLS = 7;
    /** Never sent: used within the client. */
    public static final int REFUSED_TLS_FAILED = 8;

    public static final int REFUSED_SESSION = 9;
    /** Never sent: what answers is a server of PyTorch's TCPStore. */
    public static final int REFUSED_PYTORCH = 10;

    /** The maximum length of a frame until the handshake is over. */
    public static final int MAX_HANDSHAKE_BYTES = 16 << 10;

    public static final int LENGTH_BYTES = 4;
    private static final int HEADER_BYTES = 9;

    private Frames() {}

    /** The type and id at the beginning of a frame. */
    public record Header(int type, long id) {
        public static Header read(ByteBuf frame) {
            if (frame.readableBytes() < HEADER_BYTES) {
                throw new ProtocolException("a frame of %d bytes is too short".formatted(frame.readableBytes()));
            }
            return new Header(frame.readUnsignedByte(), frame.readLong());
        }
    }

    /** Writes the preface, with which a client opens a connection. */
    public static void writePreface(ByteBuf out) {
        out.writeInt(MAGIC).writeShort(MIN_VERSION).writeShort(MAX_VERSION);
    }

    /** Returns a frame without a body. */
    public static ByteBuf frame(ByteBufAllocator allocator, int type, long id) {
        return frame(allocator, type, id, body -> {});
    }

    /**
     * Returns a frame with this body, within the default limits.
     *
     * @throws dev.resiliency.store.StoreRequestException if it goes over a limit
     */
    public static ByteBuf frame(ByteBufAllocator allocator, int type, long id, Consumer<WireWriter> body) {
        return frame(allocator, WireLimits.DEFAULTS, type, id, body);
    }

    /** Checks a nonce from the peer. */
    public static void checkNonce(Value nonce) {
        if (nonce.size() != Challenge.NONCE_BYTES) {
            throw new ProtocolException("a nonce has %d bytes".formatted(nonce.size()));
        }
    }

    /**
     * Returns a frame with this body.
     *
     * @throws dev.resiliency.store.StoreRequestException if it goes over a limit
     */
    public static ByteBuf frame(
            ByteBufAllocator allocator, WireLimits limits, int type, long id, Consumer<WireWriter> body) {
        WireWriter writer = new WireWriter(allocator.buffer(), limits);
        boolean isComplete = false;
        try {
            body.accept(writer.header(type, id));
            ByteBuf frame = writer.end();
            frame.setInt(0, frame.readableBytes() - LENGTH_BYTES);
            isComplete = true;
            return frame;
        } finally {
            if (!isComplete) {
                writer.release();
            }
        }
    }
}

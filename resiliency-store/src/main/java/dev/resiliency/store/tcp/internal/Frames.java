package dev.resiliency.store.tcp.internal;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.util.function.Consumer;

/**
 * The frames that client and server exchange. All numbers are big-endian; a {@code varint} has seven bits in each byte,
 * the lowest first, and the top bit set in all but the last.
 *
 * <p>A connection opens with the client's preface, and its first frame is a HELLO. The server answers with a WELCOME,
 * or with a REFUSED and closes. The preface and these three frames are the same in all versions of the protocol. The
 * first byte of the preface is not 0, which PyTorch's own protocol begins with.
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
 *  1  HELLO       client   0        scope text
 *  2  REQUEST     client   request  timeout i64 (nanoseconds), count varint, operations: {@link OperationCodec}
 *  3  CANCEL      client   request  -
 *  4  GOODBYE     client   0        -
 * 16  WELCOME     server   0        version u16, session i64
 * 17  REFUSED     server   0        code u8, message text
 * 18  REPLY       server   request  count varint, results: {@link ResultCodec}
 * 19  FAILURE     server   request  failure: {@link FailureCodec}
 * 20  PUSH        server   watch    change: {@link ResultCodec}
 * 21  EXPIRED     server   0        message text
 * </pre>
 *
 * <p>A REQUEST of id 0 is answered by nothing. The others are answered by one REPLY or FAILURE each, in any order, unless
 * a CANCEL withdrew them. After a GOODBYE the server closes the connection.
 */
public final class Frames {
    /** {@code RSLY}. */
    static final int MAGIC = 0x52534C59;

    static final int PREFACE_BYTES = 8;
    static final int MIN_VERSION = 1;
    static final int MAX_VERSION = 1;

    static final int HELLO = 1;
    static final int REQUEST = 2;
    static final int CANCEL = 3;
    static final int GOODBYE = 4;
    static final int WELCOME = 16;
    static final int REFUSED = 17;
    static final int REPLY = 18;
    static final int FAILURE = 19;
    static final int PUSH = 20;
    static final int EXPIRED = 21;

    static final int REFUSED_VERSION = 1;
    static final int REFUSED_SCOPE = 2;

    /** The most that a length may claim. */
    static final int MAX_FRAME_BYTES = 16 << 20;

    private static final int LENGTH_BYTES = 4;
    private static final int HEADER_BYTES = 9;

    private Frames() {}

    /** The type and the id that a frame begins with. */
    record Header(int type, long id) {
        static Header read(ByteBuf frame) {
            if (frame.readableBytes() < HEADER_BYTES) {
                throw new ProtocolException("a frame of %d bytes is too short".formatted(frame.readableBytes()));
            }
            return new Header(frame.readUnsignedByte(), frame.readLong());
        }
    }

    /** Cuts what arrives into frames, without their lengths. */
    static LengthFieldBasedFrameDecoder decoder() {
        return new LengthFieldBasedFrameDecoder(MAX_FRAME_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES);
    }

    /** A frame of no body. */
    static ByteBuf frame(ByteBufAllocator allocator, int type, long id) {
        return frame(allocator, type, id, body -> {});
    }

    /**
     * A frame of this body.
     *
     * @throws dev.resiliency.store.StoreRequestException if it goes over a limit
     */
    static ByteBuf frame(ByteBufAllocator allocator, int type, long id, Consumer<WireWriter> body) {
        ByteBuf frame = allocator.buffer();
        try {
            frame.writeInt(0).writeByte(type).writeLong(id);
            WireWriter writer = new WireWriter(frame);
            body.accept(writer);
            writer.checkSize(0);
            frame.setInt(0, frame.readableBytes() - LENGTH_BYTES);
            return frame;
        } catch (RuntimeException refused) {
            frame.release();
            throw refused;
        }
    }
}

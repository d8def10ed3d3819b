package dev.resiliency.store.tcp.internal.pytorch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.internal.wire.Framing;
import dev.resiliency.store.tcp.internal.wire.Incoming;
import dev.resiliency.store.tcp.internal.wire.LargeArrival;
import dev.resiliency.store.tcp.internal.wire.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the requests of PyTorch's clients, however the network splits them. It passes on complete messages, and none
 * before the client has opened with VALIDATE.
 *
 * <p>It reads each field once, when it is complete: a long list in small pieces costs no more than one in a single
 * piece.
 */
public final class PyTorchDecoder extends Framing {
    private static final int UNKNOWN = -1;
    private static final int MAX_LENGTH = 1 << 30; // regardless of the limits

    private final Limits limits;
    private final List<Object> arguments = new ArrayList<>(); // the fields of the message that is being read
    private @Nullable PyTorchOperation operation; // null between messages
    private int fields = UNKNOWN; // the number of fields of the message
    private long bytes; // how many of them have been read
    private boolean isValidated;
    private long messages;

    public PyTorchDecoder(Limits limits, @Nullable Incoming incoming) {
        super(incoming);
        this.limits = limits;
    }

    @Override
    public long frames() {
        return messages;
    }

    @Override
    public boolean isAmidFrame() {
        return operation != null;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        boolean mayRead = operation == null ? isTurn(context) : !isHeld(); // see SlowPeerHandler
        if (!mayRead) {
            return;
        }
        int start = in.readerIndex();
        PyTorchMessage message = readOn(context, in);
        bytes += in.readerIndex() - start;
        if (bytes > limits.of(StoreLimit.FRAME_BYTES)) {
            throw new ProtocolException("a message of more than %d bytes is over %s"
                    .formatted(bytes, limits.describe(StoreLimit.FRAME_BYTES)));
        }
        if (message != null) {
            check(message);
            out.add(message);
        }
    }

    /** Reads the available bytes; returns the message once it is complete. */
    private @Nullable PyTorchMessage readOn(ChannelHandlerContext context, ByteBuf in) {
        if (operation == null) {
            operation = PyTorchOperation.of(in.readUnsignedByte());
            fields = operation.isList() ? UNKNOWN : operation.fields().size();
        }
        if (fields == UNKNOWN) {
            if (in.readableBytes() < Long.BYTES) {
                return null;
            }
            int entries = limited(in.readLongLE(), StoreLimit.LIST_ENTRIES, "a list of %d entries is over %s");
            fields = entries * operation.fields().size();
        }
        while (arguments.size() < fields) {
            Object argument = read(
                    context,
                    operation.fields().get(arguments.size() % operation.fields().size()),
                    in);
            if (argument == null) {
                return null;
            }
            arguments.add(argument);
        }
        return new PyTorchMessage(operation, List.copyOf(arguments));
    }

    private void check(PyTorchMessage message) {
        boolean opens = message.operation() == PyTorchOperation.VALIDATE;
        if (opens == isValidated || (opens && message.number(0) != PyTorchOperation.MAGIC)) {
            throw new ProtocolException("VALIDATE is missing, repeated, or has a wrong magic number");
        }
        isValidated = true;
        operation = null;
        messages++;
        arguments.clear();
        bytes = 0;
    }

    private @Nullable Object read(ChannelHandlerContext context, PyTorchOperation.Field field, ByteBuf in) {
        return switch (field) {
            case KEY -> {
                byte[] key = bytes(context, in, StoreLimit.KEY_BYTES, "a key of %d bytes is over %s");
                yield key == null ? null : text(key);
            }
            case VALUE -> {
                byte[] value = bytes(context, in, StoreLimit.VALUE_BYTES, "a value of %d bytes is over %s");
                yield value == null ? null : Value.of(value);
            }
            case NUMBER -> in.readableBytes() < Long.BYTES ? null : (Object) in.readLongLE();
            case NONCE -> in.readableBytes() < Integer.BYTES ? null : (Object) in.readUnsignedIntLE();
        };
    }

    private byte @Nullable [] bytes(ChannelHandlerContext context, ByteBuf in, StoreLimit limit, String refusal) {
        if (arrival().isUnderway()) {
            return arrival().gather(in) ? arrival().end(in) : null;
        }
        if (in.readableBytes() < Long.BYTES) {
            return null;
        }
        int length = limited(in.getLongLE(in.readerIndex()), limit, refusal);
        int available = in.readableBytes() - Long.BYTES;
        if (LargeArrival.isOf(length, available) && begin(context, length)) {
            in.skipBytes(Long.BYTES);
            arrival().gather(in);
            return null;
        }
        if (available < length) {
            return null;
        }
        in.skipBytes(Long.BYTES);
        return ByteBufUtil.getBytes(in.readSlice(length));
    }

    private int limited(long number, StoreLimit limit, String refusal) {
        if (number < 0 || number > Math.min(limits.of(limit), MAX_LENGTH)) {
            throw new ProtocolException(refusal.formatted(number, limits.describe(limit)));
        }
        return (int) number;
    }

    private static String text(byte[] key) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
        } catch (CharacterCodingException malformed) {
            // A replacement character could turn it into another key.
            throw new ProtocolException("a key is not in UTF-8");
        }
    }
}

package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.OperationCodec;
import dev.resiliency.store.tcp.internal.wire.ProtocolException;
import dev.resiliency.store.tcp.internal.wire.RandomOperations;
import dev.resiliency.store.tcp.internal.wire.WireLimits;
import dev.resiliency.store.tcp.internal.wire.WireReader;
import dev.resiliency.store.tcp.internal.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Batches of frames for one connection each. All but the last are frames of every operation with some bytes changed so
 * that they can still be decoded; the last one breaks the protocol.
 */
final class FuzzedFrames {
    /** The request after those that can be decoded, whose answer shows that they were. */
    static final long MARK = Long.MAX_VALUE;

    private static final int VALID = 5000;
    private static final int MAX_BATCH = 1000;
    private static final int ID_OFFSET = Frames.LENGTH_BYTES + 1;
    private static final int LAST_OF_ID = ID_OFFSET + Long.BYTES - 1;

    private final Random random;
    private final List<byte[]> valid = new ArrayList<>();
    private long lastId;

    FuzzedFrames(long seed) {
        this.random = new Random(seed);
        RandomOperations operations = new RandomOperations(seed, 1 << 12);
        RandomOperations large = new RandomOperations(seed);
        while (valid.size() < VALID) {
            valid.add(request(valid.size() % 100 == 0 ? large.list() : operations.list()));
        }
    }

    /** The bytes for a connection, and how many mutated frames there are, the breaking one included. */
    record Batch(ByteBuffer readable, ByteBuffer breaking, int frames) {}

    Batch next() {
        ByteBuf out = Unpooled.buffer(1 << 16);
        Frames.writePreface(out);
        out.writeBytes(bytes(Frames.HELLO, 0, body -> body.text("").value(Value.empty())));
        int frames = 0;
        byte[] breaking = null;
        while (breaking == null) {
            byte[] frame = frame();
            frames++;
            if (frames == MAX_BATCH || !survives(frame)) {
                breaking = survives(frame) ? broken(frame) : frame;
            } else {
                out.writeBytes(frame);
            }
        }
        byte[] mark = request(List.of(new Operation.Check(List.of("key"))));
        ByteBuffer.wrap(mark).putLong(ID_OFFSET, MARK);
        out.writeBytes(mark);
        return new Batch(ByteBuffer.wrap(ByteBufUtil.getBytes(out)), ByteBuffer.wrap(breaking), frames);
    }

    private byte[] frame() {
        byte[] frame = valid.get(random.nextInt(valid.size())).clone();
        lastId++;
        ByteBuffer.wrap(frame).putLong(ID_OFFSET, lastId);
        int kind = random.nextInt(1000);
        if (kind < 5) {
            return broken(frame);
        } else if (kind < 10) {
            return changed(frame); // it may or may not break the protocol
        } else if (kind < 100) {
            return bytes(Frames.CANCEL, lastId - random.nextInt(5), body -> {});
        }
        byte[] changed = changed(frame);
        while (!survives(changed)) {
            changed = changed(frame);
        }
        return changed;
    }

    private byte[] changed(byte[] frame) {
        byte[] changed = frame.clone();
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = Frames.LENGTH_BYTES + random.nextInt(frame.length - Frames.LENGTH_BYTES);
            if (at != LAST_OF_ID) { // otherwise it might be the id of a waiting request
                changed[at] = (byte) random.nextInt();
            }
        }
        return changed;
    }

    private byte[] broken(byte[] frame) {
        byte[] broken = frame.clone();
        switch (random.nextInt(5)) {
            case 0 -> ByteBuffer.wrap(broken).putInt(0, random.nextInt()); // another length
            case 1 -> ByteBuffer.wrap(broken).putInt(0, Integer.MAX_VALUE);
            case 2 -> { // too short, or without an end
                return Arrays.copyOf(broken, random.nextInt(broken.length));
            }
            case 3 -> broken[Frames.LENGTH_BYTES] = (byte) (6 + random.nextInt(200)); // no such frame
            default -> random.nextBytes(broken);
        }
        return broken;
    }

    /** Returns whether the server leaves the connection open after this frame. */
    private static boolean survives(byte[] frame) {
        if (frame.length < ID_OFFSET + Long.BYTES
                || ByteBuffer.wrap(frame).getInt() != frame.length - Frames.LENGTH_BYTES) {
            return false;
        }
        ByteBuf in = Unpooled.wrappedBuffer(frame).skipBytes(Frames.LENGTH_BYTES);
        try {
            Frames.Header header = Frames.Header.read(in);
            if (header.type() == Frames.CANCEL) {
                return true;
            }
            WireReader body = new WireReader(
                    in, WireLimits.DEFAULTS, (id, isPrefix) -> new RandomOperations.NumberedListener(id));
            body.duration();
            OperationCodec.readAll(body);
            body.end();
            return header.type() == Frames.REQUEST;
        } catch (StoreRequestException overLimit) {
            return true;
        } catch (ProtocolException broken) {
            return false;
        }
    }

    private byte[] request(List<Operation<?>> operations) {
        Duration timeout = Duration.ofMillis(random.nextInt(50));
        return bytes(
                Frames.REQUEST,
                1,
                body -> OperationCodec.writeAll(
                        operations, body.duration(timeout).with(RandomOperations.IDS)));
    }

    private static byte[] bytes(int type, long id, Consumer<WireWriter> body) {
        ByteBuf frame = Frames.frame(UnpooledByteBufAllocator.DEFAULT, type, id, body);
        byte[] bytes = ByteBufUtil.getBytes(frame);
        frame.release();
        return bytes;
    }
}

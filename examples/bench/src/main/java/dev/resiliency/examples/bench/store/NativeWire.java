package dev.resiliency.examples.bench.store;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.OperationCodec;
import dev.resiliency.store.tcp.internal.wire.WatchIds;
import dev.resiliency.store.tcp.internal.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Our own protocol: what a client sends is written by the store's own code. */
public final class NativeWire implements Wire {
    private static final long ID = 1; // a client has one request at a time
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int TOKEN_BYTES = 32;
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

    private static final int TYPE_AT = Integer.BYTES;
    private static final int SESSION_AT = TYPE_AT + 1 + Long.BYTES + Short.BYTES;
    private static final Step.Answer REPLY = answer(Frames.REPLY);

    /** Its value is the session's id. */
    private static final Step.Answer WELCOME = new Step.Answer(
            SESSION_AT + Long.BYTES,
            head -> checkedBytes(head, Set.of(Frames.WELCOME)) + Integer.BYTES - SESSION_AT - Long.BYTES,
            head -> head.getLong(SESSION_AT));

    /** Gives each listener, by equality, a number on the wire. */
    private static final class Watches implements WatchIds.Writer {
        private final Map<Object, Long> ids = new HashMap<>();

        private long numberOf(Object listener) {
            return ids.computeIfAbsent(listener, key -> ids.size() + 1L);
        }

        @Override
        public long idOf(Operation.Watch watch) {
            return numberOf(watch.listener());
        }

        @Override
        public long idOf(Operation.Unwatch unwatch) {
            return numberOf(unwatch.listener());
        }

        @Override
        public long idOf(Operation.WatchPrefix watch) {
            return numberOf(watch.listener());
        }

        @Override
        public long idOf(Operation.UnwatchPrefix unwatch) {
            return numberOf(unwatch.listener());
        }
    }

    private final Watches watches = new Watches();

    @Override
    public Step hello() {
        ByteBuf preface = Unpooled.buffer();
        Frames.writePreface(preface);
        ByteBuffer hello = frame(Frames.HELLO, 0, body -> body.text("").value(Value.of(""))); // no scope, no secret
        return Step.only(joined(preface.nioBuffer(), hello), WELCOME);
    }

    /** Gives the session a lease of 30 s. */
    Step lease() {
        return request(new Operation.Lease(LEASE));
    }

    /** Adds 1 to a counter. */
    Step add(String key) {
        return request(new Operation.Add(key, 1));
    }

    /** Reads an existing counter. */
    Step get(String key) {
        return request(new Operation.Get(key));
    }

    /** Returns for each participant the step to arrive at a barrier and wait for all others. */
    IntFunction<Step> arrive(String barrier, int participants) {
        Barrier all = Barrier.of(barrier, IndexSet.range(0, participants));
        return participant -> request(new Operation.Arrive(all, IndexSet.of(participant), true));
    }

    @Override
    public Step awaitChange(String key) {
        Step push = Step.only(ByteBuffer.allocate(0), answer(Frames.PUSH));
        return request(new Operation.Watch(key, change -> {})).then(push);
    }

    @Override
    public Step change(String key) {
        return request(new Operation.Set(key, Value.of("1")));
    }

    /** Renews the lease of a session. The frame alone does so, whatever its token is: it is the session's own. */
    Step heartbeat(long session) {
        return request(new Operation.Renew(session, Value.of(new byte[TOKEN_BYTES])));
    }

    private Step request(Operation<?> operation) {
        return Step.only(request(ID, List.of(operation), TIMEOUT), REPLY);
    }

    /** Returns what a client sends to request operations. */
    public ByteBuffer request(long id, List<? extends Operation<?>> operations, Duration timeout) {
        return frame(
                Frames.REQUEST,
                id,
                body -> OperationCodec.writeAll(
                        operations, body.duration(timeout).with(watches)));
    }

    /** Returns a frame. */
    public static ByteBuffer frame(int type, long id, Consumer<WireWriter> body) {
        ByteBuf frame = Frames.frame(HEAP, type, id, body);
        return frame.nioBuffer();
    }

    /** Returns these bytes, one after the other. */
    public static ByteBuffer joined(ByteBuffer... parts) {
        ByteBuffer all = ByteBuffer.allocate(
                List.of(parts).stream().mapToInt(ByteBuffer::remaining).sum());
        for (ByteBuffer part : parts) {
            all.put(part.duplicate());
        }
        return all.flip();
    }

    /** Expects a frame of one of these types; its value is its length in bytes. */
    public static Step.Answer answer(Integer... types) {
        Set<Integer> expected = Set.of(types);
        return new Step.Answer(
                TYPE_AT + 1, head -> checkedBytes(head, expected) - 1, head -> head.getInt(0) + (long) Integer.BYTES);
    }

    /** Returns the bytes that follow the length of a frame, which must be of one of these types. */
    private static long checkedBytes(ByteBuffer head, Set<Integer> types) {
        int type = head.get(TYPE_AT);
        if (!types.contains(type)) {
            throw new IllegalStateException(
                    "the server sent a frame of type %d instead of one of %s".formatted(type, types));
        }
        return head.getInt(0);
    }
}

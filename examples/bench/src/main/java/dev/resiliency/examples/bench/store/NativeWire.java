package dev.resiliency.examples.bench.store;

import dev.resiliency.store.Value;
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
import java.util.function.Consumer;

/** Our own protocol: what a client sends is written by the store's own code. */
final class NativeWire {
    private static final long ID = 1; // a client has one request at a time
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

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

    /** Returns how clients of our server speak to it. */
    static MeasuredServer.Wire wire() {
        NativeWire wire = new NativeWire();
        return new MeasuredServer.Wire(
                hello(),
                key -> wire.request(new Operation.Watch(key, change -> {})).then(Step.await(Frames.PUSH)),
                key -> wire.request(new Operation.Set(key, Value.of("1"))));
    }

    private static Step hello() {
        ByteBuf preface = Unpooled.buffer();
        Frames.writePreface(preface);
        ByteBuffer hello = frame(Frames.HELLO, 0, body -> body.text("").value(Value.of(""))); // no scope, no secret
        return Step.only(joined(preface.nioBuffer(), hello), Frames.WELCOME);
    }

    /** Returns the step that requests an operation. */
    Step request(Operation<?> operation) {
        return Step.only(request(ID, List.of(operation), TIMEOUT), Frames.REPLY);
    }

    /** Returns what a client sends to request operations. */
    ByteBuffer request(long id, List<? extends Operation<?>> operations, Duration timeout) {
        return frame(
                Frames.REQUEST,
                id,
                body -> OperationCodec.writeAll(
                        operations, body.duration(timeout).with(watches)));
    }

    /** Returns a frame. */
    static ByteBuffer frame(int type, long id, Consumer<WireWriter> body) {
        ByteBuf frame = Frames.frame(HEAP, type, id, body);
        return frame.nioBuffer();
    }

    /** Returns these bytes, one after the other. */
    static ByteBuffer joined(ByteBuffer... parts) {
        ByteBuffer all = ByteBuffer.allocate(
                List.of(parts).stream().mapToInt(ByteBuffer::remaining).sum());
        for (ByteBuffer part : parts) {
            all.put(part.duplicate());
        }
        return all.flip();
    }
}

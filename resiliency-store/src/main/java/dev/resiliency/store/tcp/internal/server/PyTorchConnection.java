package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.Change;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.BackgroundLog;
import dev.resiliency.store.internal.KeyspaceSession;
import dev.resiliency.store.internal.SessionOutput;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.internal.pytorch.PyTorchDecoder;
import dev.resiliency.store.tcp.internal.pytorch.PyTorchKeys;
import dev.resiliency.store.tcp.internal.pytorch.PyTorchMessage;
import dev.resiliency.store.tcp.internal.wire.Connection;
import dev.resiliency.store.tcp.internal.wire.LargeFrame;
import dev.resiliency.store.tcp.internal.wire.Outbox;
import dev.resiliency.store.tcp.internal.wire.ProtocolException;
import dev.resiliency.store.tcp.internal.wire.SlowPeerHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of a connection whose client is PyTorch's TCPStore. The server's event loop owns it.
 *
 * <p>This protocol has no answer for a request that fails, so the connection is closed, with a line in the log.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, and that shows
public final class PyTorchConnection extends SimpleChannelInboundHandler<PyTorchMessage>
        implements SessionOutput, Connection {
    private static final BackgroundLog LOG = BackgroundLog.of(PyTorchConnection.class);
    // One small request may name a large value many times.
    private static final long MAX_ANSWER_BYTES = 64 << 20;
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
    /** The id of requests that are answered at once or not at all. Requests that wait have greater ids. */
    private static final long AT_ONCE = 1;

    private static final int READY = 0;
    private static final int NOT_READY = 1;
    private static final int GO_ON = 0;
    private static final int CANCELLED = 1;

    private final ServerState server;
    private final PyTorchWaits shared;
    private final Channel channel;
    private final SocketAddress client; // for the log; never resolved
    private final KeyspaceSession session;
    private final Map<Long, PyTorchWait> waits = new HashMap<>();
    private long lastWait = AT_ONCE;
    private @Nullable Object answer;
    private @Nullable Outbox outbox; // set before anything is written
    private boolean isClosing;

    private PyTorchConnection(ServerState server, PyTorchWaits shared, Channel channel) {
        this.server = server;
        this.shared = shared;
        this.channel = channel;
        this.client = channel.remoteAddress();
        this.session = server.keyspace().open(this);
        server.opened(this);
    }

    /** Makes a channel a connection, with its handlers after the existing ones. */
    public static void install(ServerState server, PyTorchWaits shared, Channel channel) {
        PyTorchDecoder decoder = new PyTorchDecoder(server.settings().limits(), server.incoming());
        channel.pipeline()
                .addLast(decoder, new PyTorchConnection(server, shared, channel), new SlowPeerHandler(decoder));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        outbox = server.newOutbox(context);
    }

    private Outbox outbox() {
        return Objects.requireNonNull(outbox);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, PyTorchMessage message) {
        if (isClosing) {
            return;
        }
        server.countRequest();
        switch (message.operation()) {
            case VALIDATE -> server.completedHandshake(channel);
            case PING -> write(out -> out.writeIntLE((int) message.number(0)));
            case SET -> run(new Operation.Set(key(message), message.value(1)));
            case APPEND -> run(new Operation.Append(key(message), message.value(1)));
            case MULTI_SET -> multiSet(message);
            case GET -> writeValue(read(message.key()));
            case MULTI_GET -> multiGet(message.keys());
            case ADD -> writeNumber(run(new Operation.Add(key(message), message.number(1))));
            case COMPARE_SET ->
                writeValue(run(new Operation.CompareAndSet(key(message), message.value(1), message.value(2))));
            case CHECK -> writeByte(exist(keys(message)) ? READY : NOT_READY);
            case KEY_COUNT -> writeNumber(run(new Operation.KeyCount("")));
            case DELETE -> writeNumber(Boolean.TRUE.equals(run(new Operation.Delete(key(message)))) ? 1L : 0L);
            case LIST_KEYS -> listKeys();
            case WAIT -> await(keys(message));
            case BARRIER -> arrive(key(message), message.number(1));
            case CANCEL_WAIT -> cancelWaits();
            case QUEUE_PUSH -> shared.push(key(message), message.value(1));
            case QUEUE_POP -> pop(key(message));
            case QUEUE_LENGTH -> writeNumber((long) shared.length(key(message)));
        }
    }

    private static String key(PyTorchMessage message) {
        return PyTorchKeys.ofWire(message.key());
    }

    private static List<String> keys(PyTorchMessage message) {
        return message.keys().stream().map(PyTorchKeys::ofWire).toList();
    }

    /** Runs an operation; returns null if it has no result, fails, or would have to wait. */
    private @Nullable Object run(Operation<?> operation) {
        answer = null;
        session.submit(AT_ONCE, List.of(operation), FOREVER);
        session.cancel(AT_ONCE);
        return answer;
    }

    /** Returns the value of a key; the empty value if it is absent. */
    private Value read(String wireKey) {
        return run(new Operation.Get(PyTorchKeys.ofWire(wireKey))) instanceof Value value ? value : Value.empty();
    }

    private void multiGet(List<String> wireKeys) {
        List<Value> values = new ArrayList<>();
        long bytes = 0;
        for (String wireKey : wireKeys) {
            Value value = read(wireKey);
            values.add(value);
            bytes += value.size();
            if (bytes > MAX_ANSWER_BYTES) {
                refuseTooMuch();
                return;
            }
        }
        values.forEach(this::writeValue);
    }

    private void refuseTooMuch() {
        refuse("it asks for more than %d bytes at once".formatted(MAX_ANSWER_BYTES));
    }

    private void multiSet(PyTorchMessage message) {
        Map<String, Value> values = new HashMap<>();
        message.values().forEach((wireKey, value) -> values.put(PyTorchKeys.ofWire(wireKey), value));
        run(new Operation.MultiSet(values));
    }

    private boolean exist(Collection<String> keys) {
        List<String> others = keys.stream().filter(key -> !shared.isFilled(key)).toList();
        return Boolean.TRUE.equals(run(new Operation.Check(others)));
    }

    private void listKeys() {
        if (run(new Operation.Keys("")) instanceof List<?> keys) {
            long bytes = keys.stream()
                    .mapToLong(key -> Long.BYTES + ByteBufUtil.utf8Bytes(PyTorchKeys.toWire((String) key)))
                    .sum();
            if (bytes > MAX_ANSWER_BYTES) {
                refuseTooMuch();
                return;
            }
            write(out -> {
                out.writeLongLE(keys.size());
                keys.forEach(key -> PyTorchMessage.writeKey(PyTorchKeys.toWire((String) key), out));
            });
        }
    }

    private void pop(String queue) {
        long length = shared.length(queue);
        Value value = shared.pop(queue);
        writeNumber(length);
        writeValue(value);
    }

    private void await(List<String> keys) {
        List<String> missing =
                keys.stream().filter(key -> !shared.isFilled(key)).toList();
        PyTorchWait wait = newWait(missing);
        shared.listForQueues(wait);
        waitsOn(wait);
    }

    private PyTorchWait newWait(List<String> keys) {
        if (waits.size() >= server.settings().limits().of(StoreLimit.WAITERS)) {
            throw new ProtocolException("it has more than %d pending waits, over %s"
                    .formatted(waits.size(), server.settings().limits().describe(StoreLimit.WAITERS)));
        }
        PyTorchWait wait = new PyTorchWait(this, ++lastWait, keys);
        waits.put(wait.id(), wait);
        return wait;
    }

    /** Begins or continues to wait for what is missing; returns whether it is already over. */
    boolean waitsOn(PyTorchWait wait) {
        session.cancel(wait.id());
        session.submit(wait.id(), List.of(new Operation.Await(List.copyOf(wait.keys()))), FOREVER);
        return !waits.containsKey(wait.id());
    }

    /** Answers a wait that is over. */
    void end(PyTorchWait wait) {
        waits.remove(wait.id());
        shared.unlist(wait);
        writeByte(GO_ON);
    }

    private void arrive(String barrier, long worldSize) {
        if (run(new Operation.Add(barrier, 1)) instanceof Long arrived) {
            PyTorchWait wait = newWait(List.of(barrier));
            shared.listAtBarrier(barrier, wait);
            if (arrived >= worldSize) {
                shared.releaseBarrier(barrier);
            }
        }
    }

    private void cancelWaits() {
        forgetWaits();
        writeByte(CANCELLED);
    }

    private void forgetWaits() {
        waits.values().forEach(wait -> {
            session.cancel(wait.id());
            shared.unlist(wait);
        });
        waits.clear();
    }

    @Override
    public void reply(long request, List<@Nullable Object> results) {
        PyTorchWait wait = waits.get(request);
        if (wait == null) {
            answer = results.get(0);
        } else {
            end(wait);
        }
    }

    @Override
    public void fail(long request, StoreException failure) {
        refuse(String.valueOf(failure.getMessage()));
    }

    @Override
    public void tell(Consumer<? super Change> listener, Change change) {
        throw new IllegalStateException("a client of PyTorch watches nothing");
    }

    @Override
    public void probe() {
        // These clients have no leases.
    }

    @Override
    public void expired(SessionExpiredException reason) {
        refuse(String.valueOf(reason.getMessage()));
    }

    private void writeByte(int value) {
        write(out -> out.writeByte(value));
    }

    /** Writes the result of an operation, unless it failed, which has closed the connection. */
    private void writeNumber(@Nullable Object number) {
        if (number instanceof Long value) {
            write(out -> out.writeLongLE(value));
        }
    }

    private void writeValue(@Nullable Object result) {
        if (result instanceof Value value && LargeFrame.isLarge(value)) {
            send(PyTorchMessage.ofLarge(value));
        } else if (result instanceof Value value) {
            write(out -> PyTorchMessage.writeValue(value, out));
        }
    }

    private void write(Consumer<ByteBuf> body) {
        ByteBuf out = channel.alloc().buffer();
        boolean isFilled = false;
        try {
            body.accept(out);
            isFilled = true;
        } finally {
            if (!isFilled) {
                out.release();
            }
        }
        send(out);
    }

    private void send(ByteBuf bytes) {
        if (isClosing) {
            bytes.release();
            return;
        }
        outbox().write(bytes);
        server.flushes().add(this);
    }

    @Override
    public void flush() {
        channel.flush();
    }

    /** Closes the connection because of what the client did. */
    private void refuse(String why) {
        if (!isClosing) {
            isClosing = true;
            server.warnings().warn("Closed the connection of the PyTorch client {}: {}", client, why);
            channel.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable reason = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (reason instanceof ProtocolException
                || reason instanceof DecoderException
                || reason instanceof StoreException) {
            refuse(String.valueOf(reason.getMessage()));
        } else if (reason instanceof OutOfMemoryError full) {
            refuse("out of memory for what it sends or requests: " + full.getMessage());
        } else if (reason instanceof IOException) {
            LOG.debug("Lost the connection of the PyTorch client {}: {}", client, String.valueOf(reason.getMessage()));
            channel.close();
        } else {
            LOG.error(
                    "Closed the connection of the PyTorch client {} because of a defect of the store", client, reason);
            channel.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        isClosing = true;
        forgetWaits();
        outbox().close();
        session.abandon();
        server.closed(this);
        context.fireChannelInactive();
    }

    @Override
    public void close() {
        channel.close();
    }

    @Override
    public String toString() {
        return "the connection of the PyTorch client " + client;
    }
}

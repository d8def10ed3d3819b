package dev.resiliency.store.tcp.internal.pytorch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.PlainStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client of PyTorch's TCPStore server: one connection, on which the calling thread sends a request and reads the
 * answer. It sends no request that waits on the server.
 *
 * <p>PyTorch's server ends its whole process on an invalid request, so whatever it would not accept is rejected here.
 */
public final class PyTorchClient implements PlainStore {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    // A live server answers sooner: none of these requests takes long.
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);
    private static final int MAX_KEYS = 128 << 10; // PyTorch's own limit
    private static final int MAX_READ_BYTES = 64 << 20;
    // What even a slow network transfers within the longest silence.
    private static final int PIECE_BYTES = 1 << 20;
    // What the kernel buffers for a connection with nothing else in flight, whether the server reads or not.
    private static final int SMALL_BYTES = 4 << 10;

    private final Endpoint endpoint;
    private final Socket socket;
    private final DataInputStream in;

    private PyTorchClient(Endpoint endpoint, Socket socket) throws IOException {
        this.endpoint = endpoint;
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /**
     * Connects, retrying as often as needed.
     *
     * @throws StoreLostException if there is no connection within {@code limit}
     */
    public static PyTorchClient connect(Endpoint endpoint, Duration limit) throws InterruptedException {
        return connect(endpoint, limit, LONGEST_SILENCE);
    }

    /** Connects. From then on, a server that neither reads nor answers for {@code silence} counts as lost. */
    static PyTorchClient connect(Endpoint endpoint, Duration limit, Duration silence) throws InterruptedException {
        long start = System.nanoTime();
        Duration pause = FIRST_PAUSE;
        Duration left = limit;
        for (int attempts = 1; ; attempts++) {
            try {
                return attempt(endpoint, shorter(left, LONGEST_SILENCE), silence);
            } catch (IOException failure) {
                Duration spent = Duration.ofNanos(System.nanoTime() - start);
                left = limit.minus(spent);
                if (left.isNegative() || left.isZero()) {
                    throw endpoint.unreachable(attempts, spent, failure);
                }
            }
            Thread.sleep(shorter(pause, left).toMillis());
            pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
        }
    }

    private static PyTorchClient attempt(Endpoint endpoint, Duration limit, Duration silence) throws IOException {
        Socket socket = new Socket();
        boolean isOpen = false;
        try {
            int millis = Math.max(1, (int) limit.toMillis());
            socket.connect(
                    new InetSocketAddress(
                            endpoint.address().host(), endpoint.address().port()),
                    millis);
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.setSoTimeout(millis);
            PyTorchClient client = new PyTorchClient(endpoint, socket);
            client.open();
            socket.setSoTimeout((int) silence.toMillis());
            isOpen = true;
            return client;
        } finally {
            if (!isOpen) {
                socket.close();
            }
        }
    }

    @Override
    public StoreAddress address() {
        return endpoint.address();
    }

    private void open() throws IOException {
        int nonce = new SecureRandom().nextInt();
        // In one write: PyTorch's server closes a connection whose opening arrives in two pieces.
        send(
                PyTorchMessage.of(PyTorchOperation.VALIDATE, PyTorchOperation.MAGIC),
                PyTorchMessage.of(PyTorchOperation.PING, (long) nonce));
        if (Integer.reverseBytes(in.readInt()) != nonce) {
            throw new IOException("the server does not speak PyTorch's protocol");
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void send(PyTorchMessage... messages) throws IOException {
        ByteBuf out = Unpooled.buffer();
        for (PyTorchMessage message : messages) {
            message.write(out);
        }
        if (out.readableBytes() <= SMALL_BYTES) {
            out.readBytes(socket.getOutputStream(), out.readableBytes());
        }
        while (out.isReadable()) {
            sendPiece(out, Math.min(PIECE_BYTES, out.readableBytes()));
        }
    }

    /**
     * Sends the bytes within the socket's timeout, which the socket itself applies only to reads. Guards against a race
     * of this thread with the timer that closes the socket: the first to complete {@code inTime} wins.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the last stage only closes
    private void sendPiece(ByteBuf out, int bytes) throws IOException {
        int millis = socket.getSoTimeout();
        CompletableFuture<Boolean> inTime = new CompletableFuture<>();
        inTime.completeOnTimeout(false, millis, TimeUnit.MILLISECONDS).thenAccept(isInTime -> {
            if (!isInTime) {
                close();
            }
        });
        IOException failure = null;
        try {
            out.readBytes(socket.getOutputStream(), bytes);
        } catch (IOException failed) {
            failure = failed;
        }
        if (!inTime.complete(true)) {
            throw new IOException(
                    "the server does not read: it has not accepted a request within %s s".formatted(millis / 1000.0),
                    failure);
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Reads an answer. */
    private interface Reply<T> {
        T read() throws IOException;
    }

    private <T> T ask(Reply<T> answer, PyTorchMessage... messages) {
        boolean isAnswered = false;
        try {
            send(messages);
            T answered = answer.read();
            isAnswered = true;
            return answered;
        } catch (IOException failure) {
            throw endpoint.lost(failure);
        } finally {
            if (!isAnswered) { // also for lack of memory
                close(); // anything else that arrives belongs to no request
            }
        }
    }

    /**
     * Sends a request that has no answer, and waits until the server has processed it by sending one after it that has.
     */
    private void tell(PyTorchMessage message) {
        ask(this::readNumber, message, PyTorchMessage.of(PyTorchOperation.KEY_COUNT));
    }

    private long readNumber() throws IOException {
        return Long.reverseBytes(in.readLong());
    }

    private byte[] readBytes() throws IOException {
        long length = readNumber();
        if (length < 0 || length > MAX_READ_BYTES) {
            throw new IOException("a value of %d bytes is over the limit of %d".formatted(length, MAX_READ_BYTES));
        }
        byte[] bytes = new byte[(int) length];
        in.readFully(bytes);
        return bytes;
    }

    private boolean readReady() throws IOException {
        return in.readUnsignedByte() == 0;
    }

    private static String wire(String key) {
        String wire = PyTorchKeys.toWire(key);
        Limits.defaults().check(wire);
        return wire;
    }

    private static PyTorchMessage list(PyTorchOperation operation, Set<String> keys) {
        if (keys.size() > MAX_KEYS) {
            throw new StoreRequestException(
                    "%d keys at once are over the limit of %d".formatted(keys.size(), MAX_KEYS));
        }
        return PyTorchMessage.of(
                operation, keys.stream().map(PyTorchClient::wire).toArray());
    }

    @Override
    public boolean exist(List<String> keys) {
        return keys.isEmpty() || ask(this::readReady, list(PyTorchOperation.CHECK, new LinkedHashSet<>(keys)));
    }

    @Override
    public @Nullable List<Value> read(List<String> keys) {
        if (keys.isEmpty()) {
            return List.of();
        }
        Set<String> distinct = new LinkedHashSet<>(keys);
        // One by one, since an empty value is answered like an absent one.
        Optional<List<Value>> values = ask(
                () -> readAll(keys, distinct),
                list(PyTorchOperation.CHECK, distinct),
                list(PyTorchOperation.MULTI_GET, distinct));
        return values.orElse(null);
    }

    private Optional<List<Value>> readAll(List<String> keys, Set<String> distinct) throws IOException {
        boolean areAllThere = readReady();
        Map<String, Value> values = new HashMap<>();
        for (String key : distinct) {
            values.put(key, Value.of(readBytes()));
        }
        return areAllThere
                ? Optional.of(keys.stream()
                        .map(key -> values.getOrDefault(key, Value.empty()))
                        .toList())
                : Optional.empty();
    }

    @Override
    public void set(String key, Value value) {
        tell(PyTorchMessage.of(PyTorchOperation.SET, wire(key), value));
    }

    @Override
    public void multiSet(Map<String, Value> values) {
        if (values.isEmpty()) {
            return;
        }
        List<Object> arguments = new ArrayList<>();
        values.forEach((key, value) -> {
            arguments.add(wire(key));
            arguments.add(value);
        });
        tell(new PyTorchMessage(PyTorchOperation.MULTI_SET, arguments));
    }

    @Override
    public long add(String key, long delta) {
        return ask(this::readNumber, PyTorchMessage.of(PyTorchOperation.ADD, wire(key), delta));
    }

    @Override
    public void append(String key, Value value) {
        tell(PyTorchMessage.of(PyTorchOperation.APPEND, wire(key), value));
    }

    @Override
    public Value compareAndSet(String key, Value expected, Value desired) {
        Value now = ask(
                () -> Value.of(readBytes()),
                PyTorchMessage.of(PyTorchOperation.COMPARE_SET, wire(key), expected, desired));
        if (expected.size() == 0 || !now.equals(expected)) {
            return now;
        }
        // For an absent key, PyTorch's server returns the expected value.
        List<Value> values = read(List.of(key));
        return values == null ? Value.empty() : values.get(0);
    }

    @Override
    public boolean delete(String key) {
        return ask(this::readNumber, PyTorchMessage.of(PyTorchOperation.DELETE, wire(key))) > 0;
    }

    @Override
    public List<String> keys() {
        return ask(
                () -> {
                    List<String> keys = new ArrayList<>();
                    for (long left = readNumber(); left > 0; left--) {
                        keys.add(PyTorchKeys.ofWire(new String(readBytes(), UTF_8)));
                    }
                    return keys;
                },
                PyTorchMessage.of(PyTorchOperation.LIST_KEYS));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException closed) {
            // Nothing else can be done with it.
        }
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }
}

package dev.resiliency.pytorch;

import dev.resiliency.store.Store;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of one client of PyTorch's TCPStore from a {@link Store}, below a prefix. The thread that runs it
 * owns it, and others only close its socket.
 *
 * <p>The protocol has no answer for a request that fails: the connection ends, and the client reports that. Queues and
 * barriers, which process groups do not use, are refused in the same way.
 */
final class BridgeConnection implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(BridgeConnection.class);
    /** How long a wait may go on unnoticed after the client has cancelled it. */
    private static final Duration SLICE = Duration.ofMillis(100);

    private static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(10);
    private static final int MAGIC = Integer.reverseBytes(0x3C85F7CE);
    private static final int END = -1;

    private static final int READY = 0;
    private static final int NOT_READY = 1;
    private static final int GO_ON = 0;
    private static final int CANCELLED = 1;

    private final Store store;
    private final String prefix;
    private final Socket socket;
    private final TcpStoreReader in;
    private final TcpStoreWriter out;

    /**
     * Creates a connection.
     *
     * @param prefix of all keys; those of PyTorch's client begin with a slash
     */
    BridgeConnection(Store store, String prefix, Socket socket) throws IOException {
        this.store = store;
        this.prefix = prefix;
        this.socket = socket;
        in = new TcpStoreReader(new BufferedInputStream(socket.getInputStream()));
        out = new TcpStoreWriter(socket.getOutputStream());
    }

    /** Serves the client until it or another thread closes the socket, or a request fails. */
    @Override
    public void run() {
        try (socket) {
            open();
            for (int operation = in.operation(); operation != END; operation = in.operation()) {
                answer(operation);
                out.flush();
            }
        } catch (IOException | StoreException e) {
            LOG.debug("a connection of PyTorch's store client ended: {}", e.toString());
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void open() throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) HANDSHAKE_LIMIT.toMillis());
        if (in.operation() != 0 || in.nonce() != MAGIC) {
            throw new ProtocolException("it is no client of PyTorch's store");
        }
        socket.setSoTimeout(0); // its next request may come at any time
    }

    private void answer(int operation) throws IOException, InterruptedException {
        switch (operation) {
            case 1 -> store.set(key(), in.value());
            case 2 -> out.value(store.compareAndSet(key(), in.value(), in.value()));
            case 3 -> out.value(read(key()));
            case 4 -> out.number(store.add(key(), in.number()));
            case 5 -> out.code(store.check(keys()) ? READY : NOT_READY);
            case 6 -> await(keys());
            case 7 -> out.number(store.keys(prefix + "/").size());
            case 8 -> out.number(store.delete(key()) ? 1 : 0);
            case 9 -> store.append(key(), in.value());
            case 10 -> readAll(keys());
            case 11 -> writeAll();
            case 12 -> out.code(CANCELLED);
            case 13 -> out.nonce(in.nonce());
            case 17 -> listKeys();
            default -> throw new ProtocolException("operation " + operation + " is not supported");
        }
    }

    private String key() throws IOException {
        return prefix + in.key();
    }

    private List<String> keys() throws IOException {
        return in.keys().stream().map(prefix::concat).toList();
    }

    /** Returns the value of a key; the empty value if it is absent. The client has waited for it before. */
    private Value read(String key) throws InterruptedException {
        return store.check(List.of(key)) ? store.get(key) : Value.empty();
    }

    private void readAll(List<String> keys) throws IOException, InterruptedException {
        for (String key : keys) {
            out.value(read(key));
        }
    }

    private void writeAll() throws IOException, InterruptedException {
        int count = in.count();
        Map<String, Value> values = new HashMap<>();
        for (int i = 0; i < count; i++) {
            values.put(key(), in.value());
        }
        store.multiSet(values);
    }

    private void listKeys() throws IOException, InterruptedException {
        List<String> keys = store.keys(prefix + "/");
        out.number(keys.size());
        for (String key : keys) {
            out.key(key.substring(prefix.length()));
        }
    }

    /** Waits for the keys; the only request that a client sends meanwhile is to cancel this one. */
    private void await(List<String> keys) throws IOException, InterruptedException {
        while (!in.hasMore()) {
            try {
                store.await(keys, SLICE);
                out.code(GO_ON);
                return;
            } catch (StoreTimeoutException notYet) {
                // The client may have cancelled; and the store may have been slow to answer.
            }
        }
    }
}

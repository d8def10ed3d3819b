package dev.resiliency.store.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.ByteVector;
import org.bytedeco.pytorch.StringVector;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;

/** PyTorch's own store, through JavaCPP: a client, or a server together with its first client. */
final class PyTorchStore implements Verbs {
    private static final String HOST = "127.0.0.1";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final TCPStore store;

    private PyTorchStore(TCPStoreOptions options) {
        this.store = new TCPStore(HOST, options.waitWorkers(false).timeout(milliseconds(TIMEOUT)));
    }

    /** Serves on any free port. */
    static PyTorchStore serve() {
        return new PyTorchStore(new TCPStoreOptions().isServer(true).port((short) 0));
    }

    static PyTorchStore connect(int port) {
        return new PyTorchStore(new TCPStoreOptions().isServer(false).port((short) port));
    }

    int port() {
        return Short.toUnsignedInt(store.getPort());
    }

    @Override
    public void set(String key, String value) {
        store.set(key, bytes(value));
    }

    @Override
    public String get(String key) {
        return text(store.get(key));
    }

    @Override
    public long add(String key, long delta) {
        return store.add(key, delta);
    }

    @Override
    public String compareSet(String key, String expected, String desired) {
        return text(store.compareSet(key, bytes(expected), bytes(desired)));
    }

    @Override
    public void append(String key, String value) {
        store.append(key, bytes(value));
    }

    @Override
    public boolean delete(String key) {
        return store.deleteKey(key);
    }

    @Override
    public boolean check(List<String> keys) {
        return store.check(strings(keys));
    }

    @Override
    public void await(List<String> keys, Duration timeout) {
        store._wait(strings(keys), milliseconds(timeout));
    }

    @Override
    public long keyCount() {
        return store.getNumKeys();
    }

    @Override
    public List<String> keys() {
        StringVector found = store.listKeys();
        List<String> keys = new ArrayList<>();
        for (long i = 0; i < found.size(); i++) {
            keys.add(found.get(i).getString());
        }
        return keys;
    }

    void queuePush(String key, String value) {
        store.queuePush(key, bytes(value));
    }

    String queuePop(String key, boolean waits) {
        return text(store.queuePop(key, waits));
    }

    long queueLength(String key) {
        return store.queueLen(key);
    }

    @Override
    public void close() {
        store.close();
    }

    private static Milliseconds milliseconds(Duration duration) {
        return new Milliseconds(duration.toMillis());
    }

    private static StringVector strings(List<String> texts) {
        return new StringVector(texts.toArray(String[]::new));
    }

    private static ByteVector bytes(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        ByteVector vector = new ByteVector(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            vector.put(i, bytes[i]);
        }
        return vector;
    }

    private static String text(ByteVector vector) {
        byte[] bytes = new byte[(int) vector.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = vector.get(i);
        }
        return new String(bytes, UTF_8);
    }
}

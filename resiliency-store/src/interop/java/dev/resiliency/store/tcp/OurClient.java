package dev.resiliency.store.tcp;

import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.Value;
import java.time.Duration;
import java.util.List;

/** Our client in the cases that PyTorch's client passes. */
record OurClient(SessionStore store) implements Verbs {

    /** Connects to a server of PyTorch's protocol. */
    static OurClient connect(int port) throws InterruptedException {
        return new OurClient(TcpStore.builder().port(port).connectToPyTorch());
    }

    @Override
    public void set(String key, String value) throws Exception {
        store.set(key, value);
    }

    @Override
    public String get(String key) throws Exception {
        return store.get(key).text();
    }

    @Override
    public long add(String key, long delta) throws Exception {
        return store.add(key, delta);
    }

    @Override
    public String compareSet(String key, String expected, String desired) throws Exception {
        return store.compareAndSet(key, Value.of(expected), Value.of(desired)).text();
    }

    @Override
    public void append(String key, String value) throws Exception {
        store.append(key, Value.of(value));
    }

    @Override
    public boolean delete(String key) throws Exception {
        return store.delete(key);
    }

    @Override
    public boolean check(List<String> keys) throws Exception {
        return store.check(keys);
    }

    @Override
    public void await(List<String> keys, Duration timeout) throws Exception {
        store.await(keys, timeout);
    }

    @Override
    public long keyCount() throws Exception {
        return store.keyCount();
    }

    @Override
    public List<String> keys() throws Exception {
        return store.keys("");
    }

    @Override
    public void close() {
        store.close();
    }
}

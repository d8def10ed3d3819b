package dev.resiliency.store.tcp;

import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.Value;
import java.time.Duration;
import java.util.List;

/** Our client, beside PyTorch's in the same cases. */
record OurClient(SessionStore store) implements Verbs {

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

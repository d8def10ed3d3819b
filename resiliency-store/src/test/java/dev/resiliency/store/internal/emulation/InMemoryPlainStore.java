package dev.resiliency.store.internal.emulation;

import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.PlainStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A plain store within this process, which a test can disconnect. */
final class InMemoryPlainStore implements PlainStore {
    private final Map<String, Value> values; // its monitor guards it; shared by all clients
    private volatile boolean isCut;

    /** Creates a client of the store with these values. */
    InMemoryPlainStore(Map<String, Value> values) {
        this.values = values;
    }

    /** Fails all further calls, as if the connection were lost. */
    void cut() {
        isCut = true;
    }

    private <T extends @Nullable Object> T step(Function<Map<String, Value>, T> action) {
        if (isCut) {
            throw new StoreLostException("memory", "the store was cut off", null);
        }
        synchronized (values) {
            return action.apply(values);
        }
    }

    @Override
    public boolean exist(List<String> keys) {
        return step(map -> map.keySet().containsAll(keys));
    }

    @Override
    public @Nullable List<Value> read(List<String> keys) {
        return step(map -> map.keySet().containsAll(keys)
                ? keys.stream().map(key -> Objects.requireNonNull(map.get(key))).toList()
                : null);
    }

    @Override
    public void set(String key, Value value) {
        step(map -> map.put(key, value));
    }

    @Override
    public void multiSet(Map<String, Value> written) {
        step(map -> {
            map.putAll(written);
            return written;
        });
    }

    @Override
    public long add(String key, long delta) {
        return step(map -> {
            long sum = map.getOrDefault(key, Value.of(0)).number() + delta;
            map.put(key, Value.of(sum));
            return sum;
        });
    }

    @Override
    public void append(String key, Value value) {
        step(map -> map.merge(key, value, Value::append));
    }

    @Override
    public Value compareAndSet(String key, Value expected, Value desired) {
        return step(map -> {
            if (map.getOrDefault(key, Value.empty()).equals(expected)) {
                map.put(key, desired);
            }
            return map.getOrDefault(key, Value.empty());
        });
    }

    @Override
    public boolean delete(String key) {
        return step(map -> map.remove(key) != null);
    }

    @Override
    public List<String> keys() {
        return step(map -> List.copyOf(map.keySet()));
    }

    @Override
    public void close() {
        cut();
    }

    @Override
    public String toString() {
        return "memory";
    }

    static Map<String, Value> newValues() {
        return new HashMap<>();
    }
}

package dev.resiliency.store.spi;

import dev.resiliency.store.Value;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A key-value store of another kind, which knows values and nothing else: what {@link EmulatedStore} builds upon. Each
 * call is one step there, and none waits for other clients.
 *
 * <p>One thread at a time uses it. Every call ends within a limit of its own, and throws {@link
 * dev.resiliency.store.StoreLostException} if the store is out of reach; then, and after {@link #close}, so does every
 * other.
 *
 * @since 0.1.0
 */
public interface PlainStore extends AutoCloseable {

    /** Where other processes find this store; null if they cannot. */
    default @Nullable StoreAddress address() {
        return null;
    }

    /** Whether all these keys exist. */
    boolean exist(List<String> keys);

    /** The values of these keys, in their order; null unless all of them exist. */
    @Nullable
    List<Value> read(List<String> keys);

    /** Writes a value. */
    void set(String key, Value value);

    /** Writes several values, in one step if the store can do that. */
    void multiSet(Map<String, Value> values);

    /** Adds to a counter, which starts at 0 and is kept as ASCII decimal; returns the sum. */
    long add(String key, long delta);

    /** Puts bytes behind those that are there; an absent key counts as empty. */
    void append(String key, Value value);

    /**
     * Writes {@code desired} if the key holds {@code expected}; an absent key is created if {@code expected} is empty.
     *
     * @return what the key holds afterwards; empty if it is absent
     */
    Value compareAndSet(String key, Value expected, Value desired);

    /** Removes a key; returns whether there was one. */
    boolean delete(String key);

    /** All keys, in any order. */
    List<String> keys();

    /** Ends the connection, and with it a call that is in progress; any thread may call this. */
    @Override
    void close();
}

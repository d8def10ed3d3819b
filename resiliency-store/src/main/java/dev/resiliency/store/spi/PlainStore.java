package dev.resiliency.store.spi;

import dev.resiliency.store.Value;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A key-value store of another kind, which holds values and nothing else: {@link EmulatedStore} builds on it. Each call
 * is atomic, and none waits for other clients.
 *
 * <p>One thread at a time uses it. Every call ends within a limit of its own, and throws {@link
 * dev.resiliency.store.StoreLostException} if the store is unreachable; from then on, and after {@link #close}, so does
 * every other call.
 *
 * @since 0.1.0
 */
public interface PlainStore extends AutoCloseable {

    /** Returns the address at which other processes reach this store; null if they cannot. */
    default @Nullable StoreAddress address() {
        return null;
    }

    /** Returns whether all these keys exist. */
    boolean exist(List<String> keys);

    /** Returns the values of these keys, in their order; null unless all of them exist. */
    @Nullable
    List<Value> read(List<String> keys);

    /** Writes a value. */
    void set(String key, Value value);

    /** Writes several values, atomically if the store supports that. */
    void multiSet(Map<String, Value> values);

    /** Adds to a counter, which starts at 0 and is stored as ASCII decimal; returns the sum. */
    long add(String key, long delta);

    /** Appends to a value; an absent key counts as empty. */
    void append(String key, Value value);

    /**
     * Writes {@code desired} if the key holds {@code expected}; an absent key is created if {@code expected} is empty.
     *
     * @return the value of the key afterwards; empty if it is absent
     */
    Value compareAndSet(String key, Value expected, Value desired);

    /** Deletes a key; returns whether it existed. */
    boolean delete(String key);

    /** Returns all keys, in any order. */
    List<String> keys();

    /** Closes the connection, which ends a call in progress; any thread may call this. */
    @Override
    void close();
}

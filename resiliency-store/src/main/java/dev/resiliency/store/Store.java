package dev.resiliency.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A key-value store that the processes of a job share, with the verbs of PyTorch's store, and with sets, barriers and
 * watches.
 *
 * <p>A {@code Store} is one session: its watches end with it. It is safe for use by many threads. Each call blocks until
 * the store has answered, for at most its own limit or {@link #timeout()}, and throws {@link InterruptedException} when
 * its thread is interrupted. The calls of one thread take effect in their order. All methods throw subclasses of {@link
 * StoreException}: above all {@link StoreTimeoutException}, {@link StoreRequestException} for an invalid request,
 * {@link StoreLostException} when the store is unreachable, and {@link SessionExpiredException} when the store has
 * ended this session because it took its owner for dead.
 *
 * @since 0.1.0
 */
public interface Store extends AutoCloseable {
    /**
     * A limit that never expires: the request waits until it is answered or cancelled, or until the session ends. Such a
     * request is never overdue, so it does not cause a client to probe a silent server.
     */
    Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    /** Returns the limit of each call that does not name its own. */
    Duration timeout();

    /** Writes a value; returns when the store has it. */
    void set(String key, Value value) throws InterruptedException;

    /** Writes a text in UTF-8. */
    default void set(String key, String text) throws InterruptedException {
        set(key, Value.of(text));
    }

    /** Waits until the key exists, and returns its value. */
    default Value get(String key) throws InterruptedException {
        return get(key, timeout());
    }

    /** Waits for at most {@code timeout} until the key exists, and returns its value. */
    Value get(String key, Duration timeout) throws InterruptedException;

    /**
     * Adds to a counter, which starts at 0 and is stored as ASCII decimal.
     *
     * @return the sum
     * @throws StoreRequestException if the value of the key is not a number
     */
    long add(String key, long delta) throws InterruptedException;

    /** Appends to a value; an absent key counts as empty. */
    void append(String key, Value value) throws InterruptedException;

    /**
     * Writes {@code desired} if the key holds {@code expected}; creates an absent key if {@code expected} is empty.
     *
     * @return the value of the key afterwards; empty if it is absent
     */
    Value compareAndSet(String key, Value expected, Value desired) throws InterruptedException;

    /** Returns whether all these keys exist. */
    boolean check(List<String> keys) throws InterruptedException;

    /** Waits for at most {@code timeout} until all these keys exist. PyTorch's {@code wait}. */
    void await(List<String> keys, Duration timeout) throws InterruptedException;

    /** Deletes a value, a set or a barrier; returns whether it existed. */
    boolean delete(String key) throws InterruptedException;

    /** Waits until all these keys exist, and reads them atomically; returns the values in the order of the keys. */
    List<Value> multiGet(List<String> keys) throws InterruptedException;

    /** Writes several values atomically. */
    void multiSet(Map<String, Value> values) throws InterruptedException;

    /** Returns the number of keys, including those of sets and barriers. */
    long keyCount() throws InterruptedException;

    /** Returns the keys that start with the prefix, in alphabetical order. */
    List<String> keys(String prefix) throws InterruptedException;

    /** Adds members to a set, which only grows; creates it if it is absent. */
    void addToSet(String key, IndexSet members) throws InterruptedException;

    /** Returns the members of a set, or those that have arrived at a barrier; empty if the key is absent. */
    IndexSet members(String key) throws InterruptedException;

    /**
     * Arrives at a barrier and waits until all expected participants have arrived. An arrival stands even if the wait for
     * the others times out or is interrupted. A complete barrier lets everybody pass until its name is deleted.
     *
     * @param name the key of the barrier
     * @param expected the participants that must arrive, the same in each call
     * @param arriving the participants on whose behalf this call arrives, often only one
     * @throws BarrierTimeoutException after {@code timeout}; it names the missing participants
     * @throws BarrierOverflowException if one of {@code arriving} is not expected
     */
    void barrier(String name, IndexSet expected, IndexSet arriving, Duration timeout) throws InterruptedException;

    /**
     * Calls the listener with the current value of the key, if it exists, and then with each change, until {@link
     * #unwatch} or the end of the session. For a barrier it reports only the deletion. The listener runs on the store's
     * own thread: it must not block, and what it throws is logged.
     */
    void watch(String key, Consumer<? super Change> listener) throws InterruptedException;

    /** Ends a watch; does nothing if there is none. A change that is already on its way may still be delivered. */
    void unwatch(String key, Consumer<? super Change> listener) throws InterruptedException;

    /**
     * Watches all keys that start with the prefix, including future ones, as {@link #watch} does one key.
     *
     * @throws StoreRequestException if more than 16,384 such keys exist
     */
    void watchPrefix(String prefix, Consumer<? super Change> listener) throws InterruptedException;

    /** Ends the watch of a prefix; does nothing if there is none. A change that is on its way may still be delivered. */
    void unwatchPrefix(String prefix, Consumer<? super Change> listener) throws InterruptedException;

    /**
     * Ends the session. Waits for the server, for a limited time; later calls do nothing. Pending requests fail with
     * {@link StoreLostException}.
     */
    @Override
    void close();
}

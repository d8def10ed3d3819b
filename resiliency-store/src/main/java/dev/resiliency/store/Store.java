package dev.resiliency.store;

import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A key-value store that the processes of a job share, with PyTorch's verbs, barriers, watches and sessions.
 *
 * <p>A {@code Store} is one session: what it watches, its last will and its lease end with it. It is safe for use by
 * many threads. Every call blocks until the store has answered, for at most its own limit or {@link #timeout()}, and
 * ends with {@link InterruptedException} when its thread is interrupted. What is asked in one thread happens in that
 * order. All methods throw the kinds of {@link StoreException}: above all {@link StoreTimeoutException},
 * {@link StoreRequestException} for a request that cannot be carried out, {@link StoreLostException} when the store is
 * out of reach, and {@link SessionExpiredException} when the store has declared the owner of this session dead.
 */
public interface Store extends AutoCloseable {
    /**
     * As the limit of a request: it waits until it is answered, cancelled, or the session ends. Since its answer is never
     * due, it is no reason to ask a silent store whether it still lives.
     */
    Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    /** The limit of every call that does not name its own. */
    Duration timeout();

    /** The number by which {@link Operation.Renew} names this session. */
    long session();

    /**
     * Whether the store notices that the owner of a session has died, and then carries out its last will. If not, {@link
     * Operation.LastWill}, {@link Operation.Lease} and {@link Operation.Renew} are accepted, and nothing comes of them.
     */
    default boolean keepsSessions() {
        return true;
    }

    /** Where other processes find this store; null if they cannot, because it lives in this one. */
    default @Nullable StoreAddress address() {
        return null;
    }

    /**
     * Runs operations in order, in one round trip, without waiting for them: atomically up to the first that has to
     * wait, and atomically again between one that waits and the next. If one fails, those behind it do not run, and the
     * future fails; what the ones before it did stands. Cancelling the future withdraws the request if it still waits.
     *
     * @return the results, in the order of the operations
     */
    CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout);

    /**
     * Sends operations without asking for an answer: a failure is not reported, and one that would have to wait ends
     * the list. For heartbeats.
     */
    void send(List<? extends Operation<?>> operations);

    /**
     * Calls the listener once when this session ends without having been closed: because the connection was lost or
     * the store has ended the session. At once if it already has. It must not block.
     */
    void onLost(Consumer<? super StoreException> listener);

    /**
     * Says goodbye, which revokes the last will, and ends the session. Waits for a limited time; later calls do
     * nothing. Requests that still wait end with {@link StoreLostException}.
     */
    @Override
    void close();

    /** A new, empty batch: {@link #submit} with a typed handle to each result. */
    default Batch batch() {
        return new Batch(this);
    }

    /** Runs operations in order and waits for their results: see {@link #submit}. */
    default List<@Nullable Object> batch(Duration timeout, Operation<?>... operations) throws InterruptedException {
        return Answers.await(submit(List.of(operations), timeout));
    }

    /** Runs one operation and waits for its result. */
    @SuppressWarnings("unchecked") // every implementation answers an Operation<R> with an R
    default <R> R execute(Operation<R> operation, Duration timeout) throws InterruptedException {
        return (R) batch(timeout, operation).get(0);
    }

    /** Writes a value; returns when the store has it. */
    default void set(String key, Value value) throws InterruptedException {
        execute(new Operation.Set(key, value), timeout());
    }

    /** Writes a text in UTF-8. */
    default void set(String key, String text) throws InterruptedException {
        set(key, Value.of(text));
    }

    /** Waits until the key exists, and reads it. */
    default Value get(String key) throws InterruptedException {
        return get(key, timeout());
    }

    /** Waits for at most {@code timeout} until the key exists, and reads it. */
    default Value get(String key, Duration timeout) throws InterruptedException {
        return execute(new Operation.Get(key), timeout);
    }

    /**
     * Adds to a counter, which starts at 0 and is kept as ASCII decimal.
     *
     * @return the sum
     * @throws StoreRequestException if the key holds something else than a number
     */
    default long add(String key, long delta) throws InterruptedException {
        return execute(new Operation.Add(key, delta), timeout());
    }

    /** Puts bytes behind those that are there; an absent key counts as empty. */
    default void append(String key, Value value) throws InterruptedException {
        execute(new Operation.Append(key, value), timeout());
    }

    /**
     * Writes {@code desired} if the key holds {@code expected}; an absent key is created if {@code expected} is empty.
     *
     * @return what the key holds afterwards; empty if it is absent
     */
    default Value compareAndSet(String key, Value expected, Value desired) throws InterruptedException {
        return execute(new Operation.CompareAndSet(key, expected, desired), timeout());
    }

    /** Whether all these keys exist. */
    default boolean check(List<String> keys) throws InterruptedException {
        return execute(new Operation.Check(keys), timeout());
    }

    /** Waits for at most {@code timeout} until all these keys exist. PyTorch's {@code wait}. */
    default void await(List<String> keys, Duration timeout) throws InterruptedException {
        execute(new Operation.Await(keys), timeout);
    }

    /** Removes a value, a set or a barrier; returns whether there was one. */
    default boolean delete(String key) throws InterruptedException {
        return execute(new Operation.Delete(key), timeout());
    }

    /** Waits until all these keys exist, and reads them in one step; the values come in the order of the keys. */
    default List<Value> multiGet(List<String> keys) throws InterruptedException {
        return execute(new Operation.MultiGet(keys), timeout());
    }

    /** Writes several values in one step. */
    default void multiSet(Map<String, Value> values) throws InterruptedException {
        execute(new Operation.MultiSet(values), timeout());
    }

    /** How many keys there are, sets and barriers among them. */
    default long keyCount() throws InterruptedException {
        return execute(new Operation.KeyCount(""), timeout());
    }

    /** The keys that start with the prefix, in alphabetical order. */
    default List<String> keys(String prefix) throws InterruptedException {
        return execute(new Operation.Keys(prefix), timeout());
    }

    /** Adds members to a growing set. */
    default void addToSet(String key, IndexSet members) throws InterruptedException {
        execute(new Operation.AddToSet(key, members), timeout());
    }

    /** The members of a set, or who has arrived at a barrier; empty if the key is absent. */
    default IndexSet members(String key) throws InterruptedException {
        return execute(new Operation.Members(key), timeout());
    }

    /**
     * Arrives at a barrier and waits until it is complete. Who gives up waiting has still arrived.
     *
     * @throws BarrierTimeoutException after {@code timeout}; it names the missing participants
     * @throws StoreTimeoutException after {@code timeout}, if there is no set yet that says who is expected
     * @throws BarrierOverflowException if one of the participants is not expected
     */
    default void barrier(Barrier barrier, IndexSet participants, Duration timeout) throws InterruptedException {
        execute(new Operation.Arrive(barrier, participants, true), timeout);
    }

    /** Tells the listener of what the key holds and then of each change: see {@link Operation.Watch}. */
    default void watch(String key, Consumer<? super Change> listener) throws InterruptedException {
        execute(new Operation.Watch(key, listener), timeout());
    }

    /** Ends a watch. A change that is on its way may still be told. */
    default void unwatch(String key, Consumer<? super Change> listener) throws InterruptedException {
        execute(new Operation.Unwatch(key, listener), timeout());
    }

    /** Tells the listener of all keys that start with the prefix, as {@link #watch} does of one. */
    default void watchPrefix(String prefix, Consumer<? super Change> listener) throws InterruptedException {
        execute(new Operation.WatchPrefix(prefix, listener), timeout());
    }

    /** Ends a watch of a prefix. A change that is on its way may still be told. */
    default void unwatchPrefix(String prefix, Consumer<? super Change> listener) throws InterruptedException {
        execute(new Operation.UnwatchPrefix(prefix, listener), timeout());
    }

    /** Replaces what the store does when this session ends without a goodbye; nothing by default. */
    default void lastWill(Operation<?>... operations) throws InterruptedException {
        execute(new Operation.LastWill(List.of(operations)), timeout());
    }
}

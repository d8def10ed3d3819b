package dev.resiliency.store.spi;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * A store for code that builds on it: asynchronous requests of several {@linkplain Operation operations}, and a session
 * with a lease and a last will, which the store carries out when the session's owner dies. The verbs of {@link Store}
 * are implemented by these.
 *
 * @since 0.1.0
 */
public interface SessionStore extends Store {

    /** Returns the number that identifies this session. */
    long session();

    /**
     * Returns the operation with which other sessions renew the lease of this one. It contains a token that no one can
     * guess: whoever has it can keep this session alive.
     */
    Operation.Renew renewal();

    /** Returns where other processes reach this store; null if it exists in this process only. */
    default @Nullable StoreAddress address() {
        return null;
    }

    /**
     * Returns the secret by which those who use this store prove to each other that they may, for connections between
     * them: see {@link Challenge}. Null if the store has none.
     */
    default @Nullable SecretKey secret() {
        return null;
    }

    /** Returns whether the connection to this store is encrypted. False by default. */
    default boolean isEncrypted() {
        return false;
    }

    /**
     * Runs operations in order, in one round trip, without waiting for them: atomically up to the first that has to
     * wait, and atomically again between one that waits and the next. If one fails, those after it do not run, and the
     * future fails; the effects of those before it remain. Cancelling the future withdraws a pending request.
     *
     * @return the results, in the order of the operations
     */
    CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout);

    /**
     * Sends operations without asking for an answer: a failure is not reported, and an operation that would have to wait
     * ends the list.
     */
    void send(List<? extends Operation<?>> operations);

    /**
     * Calls the listener once when this session ends without having been closed: because the connection was lost or the
     * store ended the session. Calls it at once if that has already happened. The listener must not block.
     */
    void onLost(Consumer<? super StoreException> listener);

    /**
     * Says goodbye, which revokes the last will, and ends the session: see {@link Store#close}. After {@link #abandon} it
     * says none.
     */
    @Override
    void close();

    /**
     * Ends the session without a goodbye, as if its process had died: the store carries out the last will. Does
     * nothing if the session has ended. Does not wait; {@link #close} must follow, which then says no goodbye.
     */
    void abandon();

    /** Returns a new, empty batch: {@link #submit} with a typed handle to each result. */
    default Batch batch() {
        return new Batch(this);
    }

    /** Runs operations in order and waits for their results: see {@link #submit}. */
    default List<@Nullable Object> batch(Duration timeout, Operation<?>... operations) throws InterruptedException {
        return BlockingAnswer.await(submit(List.of(operations), timeout));
    }

    /** Runs one operation and waits for its result. */
    @SuppressWarnings("unchecked") // every implementation answers an Operation<R> with an R
    default <R> R execute(Operation<R> operation, Duration timeout) throws InterruptedException {
        return (R) batch(timeout, operation).get(0);
    }

    /** Replaces what the store does when this session ends without a goodbye; nothing by default. */
    default void lastWill(Operation<?>... operations) throws InterruptedException {
        execute(new Operation.LastWill(List.of(operations)), timeout());
    }

    /**
     * Arrives at a barrier and waits until it is complete. An arrival stands even if the wait times out.
     *
     * @throws dev.resiliency.store.BarrierTimeoutException after {@code timeout}; it names the missing participants
     * @throws dev.resiliency.store.StoreTimeoutException after {@code timeout}, if the set of expected participants does
     *     not exist yet
     * @throws dev.resiliency.store.BarrierOverflowException if one of the participants is not expected
     */
    default void barrier(Barrier barrier, IndexSet participants, Duration timeout) throws InterruptedException {
        execute(new Operation.Arrive(barrier, participants, true), timeout);
    }

    @Override
    default void set(String key, Value value) throws InterruptedException {
        execute(new Operation.Set(key, value), timeout());
    }

    @Override
    default Value get(String key, Duration timeout) throws InterruptedException {
        return execute(new Operation.Get(key), timeout);
    }

    @Override
    default long add(String key, long delta) throws InterruptedException {
        return execute(new Operation.Add(key, delta), timeout());
    }

    @Override
    default void append(String key, Value value) throws InterruptedException {
        execute(new Operation.Append(key, value), timeout());
    }

    @Override
    default Value compareAndSet(String key, Value expected, Value desired) throws InterruptedException {
        return execute(new Operation.CompareAndSet(key, expected, desired), timeout());
    }

    @Override
    default boolean check(List<String> keys) throws InterruptedException {
        return execute(new Operation.Check(keys), timeout());
    }

    @Override
    default void await(List<String> keys, Duration timeout) throws InterruptedException {
        execute(new Operation.Await(keys), timeout);
    }

    @Override
    default boolean delete(String key) throws InterruptedException {
        return execute(new Operation.Delete(key), timeout());
    }

    @Override
    default List<Value> multiGet(List<String> keys) throws InterruptedException {
        return execute(new Operation.MultiGet(keys), timeout());
    }

    @Override
    default void multiSet(Map<String, Value> values) throws InterruptedException {
        execute(new Operation.MultiSet(values), timeout());
    }

    @Override
    default long keyCount() throws InterruptedException {
        return execute(new Operation.KeyCount(""), timeout());
    }

    @Override
    default List<String> keys(String prefix) throws InterruptedException {
        return execute(new Operation.Keys(prefix), timeout());
    }

    @Override
    default void addToSet(String key, IndexSet members) throws InterruptedException {
        execute(new Operation.AddToSet(key, members), timeout());
    }

    @Override
    default IndexSet members(String key) throws InterruptedException {
        return execute(new Operation.Members(key), timeout());
    }

    @Override
    default void barrier(String name, IndexSet expected, IndexSet arriving, Duration timeout)
            throws InterruptedException {
        barrier(Barrier.of(name, expected), arriving, timeout);
    }

    @Override
    default void watch(String key, Consumer<? super Change> listener) throws InterruptedException {
        execute(new Operation.Watch(key, listener), timeout());
    }

    @Override
    default void unwatch(String key, Consumer<? super Change> listener) throws InterruptedException {
        execute(new Operation.Unwatch(key, listener), timeout());
    }

    @Override
    default void watchPrefix(String prefix, Consumer<? super Change> listener) throws InterruptedException {
        execute(new Operation.WatchPrefix(prefix, listener), timeout());
    }

    @Override
    default void unwatchPrefix(String prefix, Consumer<? super Change> listener) throws InterruptedException {
        execute(new Operation.UnwatchPrefix(prefix, listener), timeout());
    }
}

package dev.resiliency.store.spi;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a store. The verbs of {@link Store} are shorthand for these; {@link SessionStore#batch} takes
 * several.
 *
 * @param <R> the type of its result; {@link Void} for none (null)
 * @since 0.1.0
 */
public sealed interface Operation<R> {

    /** Returns whether the operation may have to wait for others, within the limit of its request. */
    default boolean waits() {
        return false;
    }

    /** Returns whether this result of the operation ends its batch, so that the operations after it do not run. */
    default boolean endsBatch(@Nullable Object result) {
        return false;
    }

    /** Returns the same operation on renamed keys, as {@link PrefixStore} needs it to add its prefix. */
    Operation<R> withKeys(UnaryOperator<String> rename);

    /** Writes a value. */
    record Set(String key, Value value) implements Operation<Void> {
        @Override
        public Set withKeys(UnaryOperator<String> rename) {
            return new Set(rename.apply(key), value);
        }
    }

    /** Waits until the key exists, then reads its value. */
    record Get(String key) implements Operation<Value> {
        @Override
        public boolean waits() {
            return true;
        }

        @Override
        public Get withKeys(UnaryOperator<String> rename) {
            return new Get(rename.apply(key));
        }
    }

    /**
     * Waits until the key holds a value of {@link Parts} whose part of this number, counted from 0, is not empty; then
     * reads that part alone. On a value without parts it fails with {@link StoreRequestException}.
     */
    record GetPart(String key, int part) implements Operation<Value> {
        /** Checks the number. */
        public GetPart {
            if (part < 0) {
                throw new IllegalArgumentException("there is no part " + part);
            }
        }

        @Override
        public boolean waits() {
            return true;
        }

        /**
         * Returns this part of the value; null if the part is empty.
         *
         * @throws StoreRequestException if the value has no parts
         */
        public @Nullable Value in(Value value) {
            try {
                Value read = Parts.get(value, part);
                return read.size() == 0 ? null : read;
            } catch (IllegalArgumentException without) {
                throw new StoreRequestException("key %s: %s".formatted(key, without.getMessage()));
            }
        }

        @Override
        public GetPart withKeys(UnaryOperator<String> rename) {
            return new GetPart(rename.apply(key), part);
        }
    }

    /** Adds to a counter, which starts at 0 and is stored as ASCII decimal. The result is the sum. */
    record Add(String key, long delta) implements Operation<Long> {
        @Override
        public Add withKeys(UnaryOperator<String> rename) {
            return new Add(rename.apply(key), delta);
        }
    }

    /**
     * Appends to a value; an absent key counts as empty.
     *
     * @param below nothing is appended once the value has this many bytes: where very many clients append at once and
     *     all read, each would receive what all of them wrote
     */
    record Append(String key, Value value, long below) implements Operation<Void> {
        /** Appends whatever the size of the value. */
        public Append(String key, Value value) {
            this(key, value, Long.MAX_VALUE);
        }

        @Override
        public Append withKeys(UnaryOperator<String> rename) {
            return new Append(rename.apply(key), value, below);
        }
    }

    /**
     * Writes {@code desired} if the key holds {@code expected}, or if it is absent and {@code expected} is empty. The
     * result is the value of the key afterwards; empty if it is still absent.
     */
    record CompareAndSet(String key, Value expected, Value desired) implements Operation<Value> {
        @Override
        public CompareAndSet withKeys(UnaryOperator<String> rename) {
            return new CompareAndSet(rename.apply(key), expected, desired);
        }
    }

    /**
     * Writes a key that is written only once: the first writer wins. The result is the value that stands. A claim of a
     * key that holds another value ends its batch: the operations after it do not run, and the list of results ends
     * with this one's.
     */
    record Claim(String key, Value value) implements Operation<Value> {
        @Override
        public boolean endsBatch(@Nullable Object result) {
            return !Objects.equals(value, result);
        }

        @Override
        public Claim withKeys(UnaryOperator<String> rename) {
            return new Claim(rename.apply(key), value);
        }
    }

    /** Checks whether all these keys exist. */
    record Check(List<String> keys) implements Operation<Boolean> {
        /** Copies the list. */
        public Check {
            keys = List.copyOf(keys);
        }

        @Override
        public Check withKeys(UnaryOperator<String> rename) {
            return new Check(keys.stream().map(rename).toList());
        }
    }

    /** Waits until all these keys exist. */
    record Await(List<String> keys) implements Operation<Void> {
        /** Copies the list. */
        public Await {
            keys = List.copyOf(keys);
        }

        @Override
        public boolean waits() {
            return true;
        }

        @Override
        public Await withKeys(UnaryOperator<String> rename) {
            return new Await(keys.stream().map(rename).toList());
        }
    }

    /**
     * Deletes a value, a set or a barrier; the result is whether it existed. Those waiting at a deleted barrier keep
     * waiting.
     */
    record Delete(String key) implements Operation<Boolean> {
        @Override
        public Delete withKeys(UnaryOperator<String> rename) {
            return new Delete(rename.apply(key));
        }
    }

    /** Deletes all keys that start with the prefix; the result is their number. */
    record DeleteAll(String prefix) implements Operation<Long> {
        @Override
        public DeleteAll withKeys(UnaryOperator<String> rename) {
            return new DeleteAll(rename.apply(prefix));
        }
    }

    /** Waits until all these keys exist, then reads them; the values are in the order of the keys. */
    record MultiGet(List<String> keys) implements Operation<List<Value>> {
        /** Copies the list. */
        public MultiGet {
            keys = List.copyOf(keys);
        }

        @Override
        public boolean waits() {
            return true;
        }

        @Override
        public MultiGet withKeys(UnaryOperator<String> rename) {
            return new MultiGet(keys.stream().map(rename).toList());
        }
    }

    /** Writes several values atomically. */
    record MultiSet(Map<String, Value> values) implements Operation<Void> {
        /** Copies the map, in its order. */
        public MultiSet {
            Map<String, Value> copy = new LinkedHashMap<>(values);
            if (copy.containsKey(null) || copy.containsValue(null)) {
                throw new NullPointerException("a key or a value is null");
            }
            values = Collections.unmodifiableMap(copy);
        }

        @Override
        public MultiSet withKeys(UnaryOperator<String> rename) {
            Map<String, Value> renamed = new LinkedHashMap<>();
            values.forEach((key, value) -> renamed.put(rename.apply(key), value));
            return new MultiSet(renamed);
        }
    }

    /** Counts the keys that start with the prefix, including those of sets and barriers. */
    record KeyCount(String prefix) implements Operation<Long> {
        @Override
        public KeyCount withKeys(UnaryOperator<String> rename) {
            return new KeyCount(rename.apply(prefix));
        }
    }

    /** Lists the keys that start with the prefix, including those of sets and barriers, in alphabetical order. */
    record Keys(String prefix) implements Operation<List<String>> {
        @Override
        public Keys withKeys(UnaryOperator<String> rename) {
            return new Keys(rename.apply(prefix));
        }
    }

    /** Adds members to a set, which only grows; creates it if it is absent. */
    record AddToSet(String key, IndexSet members) implements Operation<Void> {
        @Override
        public AddToSet withKeys(UnaryOperator<String> rename) {
            return new AddToSet(rename.apply(key), members);
        }
    }

    /** Reads the members of a set, or those that have arrived at a barrier; empty if the key is absent. */
    record Members(String key) implements Operation<IndexSet> {
        @Override
        public Members withKeys(UnaryOperator<String> rename) {
            return new Members(rename.apply(key));
        }
    }

    /**
     * Confirms that a set still has exactly these members; an absent key has none. The result is its members, as of
     * {@link Members}. If they differ, this ends its batch: the operations after it do not run, and the list of results
     * ends with this one's.
     */
    record Confirm(String key, IndexSet members) implements Operation<IndexSet> {
        @Override
        public boolean endsBatch(@Nullable Object result) {
            return !Objects.equals(members, result);
        }

        @Override
        public Confirm withKeys(UnaryOperator<String> rename) {
            return new Confirm(rename.apply(key), members);
        }
    }

    /** Arrives at a barrier on behalf of the participants, and waits for its completion if {@code waits} is true. */
    record Arrive(Barrier barrier, IndexSet participants, boolean waits) implements Operation<Void> {
        @Override
        public Arrive withKeys(UnaryOperator<String> rename) {
            String expectedIn = barrier.expectedIn();
            String excusedIn = barrier.excusedIn();
            Barrier renamed = new Barrier(
                    rename.apply(barrier.name()),
                    barrier.expected(),
                    expectedIn == null ? null : rename.apply(expectedIn),
                    excusedIn == null ? null : rename.apply(excusedIn),
                    barrier.half(),
                    Operation.withKeys(barrier.whenComplete(), rename));
            return new Arrive(renamed, participants, waits);
        }
    }

    /**
     * Calls the listener with the current value of the key, if it exists, and then with each change, until {@link
     * Unwatch} or the end of the session. For a barrier it reports only the deletion. The listener runs on the store's
     * own thread: it must not block, and what it throws is logged.
     */
    record Watch(String key, Consumer<? super Change> listener) implements Operation<Void> {
        @Override
        public Watch withKeys(UnaryOperator<String> rename) {
            return new Watch(rename.apply(key), new RenamedListener(key, listener));
        }
    }

    /** Ends this listener's watch of the key; does nothing if there is none. */
    record Unwatch(String key, Consumer<? super Change> listener) implements Operation<Void> {
        @Override
        public Unwatch withKeys(UnaryOperator<String> rename) {
            return new Unwatch(rename.apply(key), new RenamedListener(key, listener));
        }
    }

    /**
     * Watches all keys that start with the prefix, including future ones, as {@link Watch} does one key. Fails if more
     * than 16,384 such keys exist.
     */
    record WatchPrefix(String prefix, Consumer<? super Change> listener) implements Operation<Void> {
        @Override
        public WatchPrefix withKeys(UnaryOperator<String> rename) {
            return new WatchPrefix(rename.apply(prefix), ShortenedListener.of(prefix, rename, listener));
        }
    }

    /** Ends this listener's watch of the prefix; does nothing if there is none. */
    record UnwatchPrefix(String prefix, Consumer<? super Change> listener) implements Operation<Void> {
        @Override
        public UnwatchPrefix withKeys(UnaryOperator<String> rename) {
            return new UnwatchPrefix(rename.apply(prefix), ShortenedListener.of(prefix, rename, listener));
        }
    }

    /** Replaces what the store does when this session ends without a goodbye. None of the operations may wait. */
    record LastWill(List<Operation<?>> operations) implements Operation<Void> {
        /** Copies the list and checks that nothing in it waits. */
        public LastWill {
            operations = List.copyOf(operations);
            for (Operation<?> operation : operations) {
                if (operation.waits()) {
                    throw new IllegalArgumentException("a last will may not wait, but this does: "
                            + operation.getClass().getSimpleName());
                }
            }
        }

        @Override
        public LastWill withKeys(UnaryOperator<String> rename) {
            return new LastWill(Operation.withKeys(operations, rename));
        }
    }

    /**
     * Gives this session a lease: it ends, as if its process had died, when the store has heard nothing of it for this
     * long. Each request of the session renews the lease, as does the {@link SessionStore#renewal} that another session
     * sends. Before a lease expires, a store on the network asks the client for a sign of life, which its thread gives
     * whatever the owner does. A session without a lease lives as long as its connection.
     */
    record Lease(Duration duration) implements Operation<Void> {
        @Override
        public Lease withKeys(UnaryOperator<String> rename) {
            return this;
        }
    }

    /**
     * Renews the lease of a session, this one or another: see {@link SessionStore#renewal}. Does nothing if it has no
     * lease, or if the token is not its own.
     */
    record Renew(long session, Value token) implements Operation<Void> {
        @Override
        public Renew withKeys(UnaryOperator<String> rename) {
            return this;
        }
    }

    /** Returns the same operations on renamed keys. */
    static List<Operation<?>> withKeys(List<Operation<?>> operations, UnaryOperator<String> rename) {
        return operations.stream()
                .<Operation<?>>map(operation -> operation.withKeys(rename))
                .toList();
    }
}

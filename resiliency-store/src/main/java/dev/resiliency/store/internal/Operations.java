package dev.resiliency.store.internal;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Carries out each kind of operation. */
final class Operations {
    // The initial values of a watch of a prefix are written at once, and must not exceed what a client may have unread.
    private static final int MAX_TOLD_KEYS = 16_384;
    private static final long MAX_TOLD_BYTES = 1 << 20;
    private static final int MAX_DIGITS = 64;
    private static final int RUNS_PER_KEY = 4; // copying a run takes less time than a look at a key

    private final Map<Class<?>, Action> actions = new HashMap<>();
    private final Map<Class<?>, Function<Operation<?>, Wait>> waits = new HashMap<>();
    private final Entries entries;
    private final Barriers barriers;
    private final Watches watches;
    private final Work work;
    private final RateLimitedLog warnings;
    private final Consumer<List<Operation<?>>> detached = this::runDetached;

    private interface Action {
        @Nullable
        Object run(Operation<?> operation, @Nullable KeyspaceSession session);
    }

    Operations(
            Entries entries,
            Barriers barriers,
            Watches watches,
            Work work,
            RateLimitedLog warnings,
            Consumer<Operation.Renew> renew) {
        this.entries = entries;
        this.barriers = barriers;
        this.watches = watches;
        this.work = work;
        this.warnings = warnings;

        does(Operation.Set.class, set -> entries.write(set.key(), set.value()));
        does(Operation.MultiSet.class, set -> entries.writeAll(set.values()));
        answers(Operation.Add.class, this::add);
        does(Operation.Append.class, this::append);
        answers(Operation.CompareAndSet.class, this::compareAndSet);
        answers(Operation.Claim.class, this::claim);
        answers(Operation.Check.class, check -> check.keys().stream().allMatch(entries::exists));
        answers(Operation.Delete.class, delete -> delete(delete.key()));
        answers(Operation.DeleteAll.class, this::deleteAll);
        answers(Operation.KeyCount.class, this::keyCount);
        answers(Operation.Keys.class, keys -> entries.keys(keys.prefix()));
        does(Operation.AddToSet.class, this::addToSet);
        answers(Operation.Members.class, members -> members(members.key()));
        answers(Operation.Confirm.class, confirm -> members(confirm.key()));
        does(Operation.Arrive.class, arrive -> barriers.arrive(arrive.barrier(), arrive.participants()));
        does(Operation.Renew.class, renew);

        waits(Operation.Get.class, get -> new ValueWait(entries, get.key()));
        waits(Operation.GetPart.class, get -> new PartWait(entries, get));
        waits(Operation.Await.class, await -> new KeyWait(entries, await.keys(), () -> null));
        waits(Operation.MultiGet.class, get -> new KeyWait(entries, get.keys(), () -> values(get.keys())));
        waits(Operation.Arrive.class, arrive -> barriers.arrive(arrive.barrier(), arrive.participants()));

        concerns(Operation.Watch.class, this::watch);
        concerns(
                Operation.Unwatch.class,
                (unwatch, session) -> watches.remove(session, unwatch.key(), unwatch.listener()));
        concerns(Operation.WatchPrefix.class, this::watchPrefix);
        concerns(
                Operation.UnwatchPrefix.class,
                (unwatch, session) -> watches.removePrefix(session, unwatch.prefix(), unwatch.listener()));
        concerns(Operation.LastWill.class, (will, session) -> session.lastWill(will.operations()));
        concerns(Operation.Lease.class, (lease, session) -> session.lease(lease.duration()));
    }

    /** Runs an operation that does not wait, and its consequences at barriers. */
    @Nullable
    Object run(Operation<?> operation, @Nullable KeyspaceSession session) {
        Object result =
                Objects.requireNonNull(actions.get(operation.getClass())).run(operation, session);
        barriers.settle(detached);
        return result;
    }

    /** Begins an operation that may wait. */
    Wait begin(Operation<?> operation) {
        Wait wait = Objects.requireNonNull(waits.get(operation.getClass())).apply(operation);
        barriers.settle(detached);
        return wait;
    }

    /** Runs operations whose results no one awaits: a last will, or those of a barrier that is complete. */
    void runDetached(List<Operation<?>> operations) {
        for (Operation<?> operation : operations) {
            try {
                if (operation.endsBatch(run(operation, null))) {
                    return;
                }
            } catch (StoreException failure) {
                warnings.warn(
                        "Skipped a {} and the operations after it in a last will or at a barrier: {}",
                        operation.getClass().getSimpleName(),
                        String.valueOf(failure.getMessage()));
                return;
            }
        }
    }

    private <O extends Operation<Void>> void does(Class<O> type, Consumer<? super O> action) {
        actions.put(type, (operation, session) -> {
            action.accept(type.cast(operation));
            return null;
        });
    }

    private <R, O extends Operation<R>> void answers(Class<O> type, Function<? super O, R> query) {
        actions.put(type, (operation, session) -> query.apply(type.cast(operation)));
    }

    private <O extends Operation<?>> void waits(Class<O> type, Function<? super O, Wait> begin) {
        waits.put(type, operation -> begin.apply(type.cast(operation)));
    }

    private <O extends Operation<Void>> void concerns(Class<O> type, BiConsumer<O, KeyspaceSession> action) {
        actions.put(type, (operation, session) -> {
            if (session == null) {
                throw new StoreRequestException("a %s concerns a session and cannot be part of a last will or a barrier"
                        .formatted(operation.getClass().getSimpleName()));
            }
            action.accept(type.cast(operation), session);
            return null;
        });
    }

    private Long add(Operation.Add operation) {
        Value value = entries.value(operation.key());
        try {
            long sum = Math.addExact(value == null ? 0 : number(value), operation.delta());
            entries.write(operation.key(), Value.of(sum));
            return sum;
        } catch (NumberFormatException e) {
            throw new StoreRequestException(
                    "key %s holds '%s', which is not a number".formatted(Limits.shown(operation.key()), value));
        } catch (ArithmeticException e) {
            throw new StoreRequestException("key %s: %s plus %d overflows the counter"
                    .formatted(Limits.shown(operation.key()), value, operation.delta()));
        }
    }

    /** Returns the value as a number; a value that is too large for one is not even decoded. */
    private static long number(Value value) {
        if (value.size() > MAX_DIGITS) {
            throw new NumberFormatException();
        }
        return value.number();
    }

    private void append(Operation.Append operation) {
        Value value = entries.value(operation.key());
        if (value == null) {
            if (operation.below() > 0) {
                entries.write(operation.key(), operation.value());
            }
        } else if (value.size() < operation.below()) {
            work.copy(value.size());
            entries.write(operation.key(), value.append(operation.value()));
        }
    }

    private Value compareAndSet(Operation.CompareAndSet operation) {
        Value value = entries.value(operation.key());
        Value compared = value == null ? Value.empty() : value;
        if (!compared.equals(operation.expected())) {
            return compared;
        }
        entries.write(operation.key(), operation.desired());
        return operation.desired();
    }

    private Value claim(Operation.Claim operation) {
        Value value = entries.value(operation.key());
        if (value != null) {
            return value;
        }
        entries.write(operation.key(), operation.value());
        return operation.value();
    }

    private boolean delete(String key) {
        Entry entry = entries.remove(key);
        if (entry instanceof BarrierState barrier) {
            barriers.delete(barrier);
        }
        return entry != null;
    }

    private Long deleteAll(Operation.DeleteAll operation) {
        List<String> keys = entries.keys(operation.prefix());
        keys.forEach(this::delete);
        return (long) keys.size();
    }

    private Long keyCount(Operation.KeyCount operation) {
        return (long) entries.count(operation.prefix());
    }

    private List<@Nullable Value> values(List<String> keys) {
        List<@Nullable Value> values = new ArrayList<>(keys.size());
        keys.forEach(key -> values.add(entries.value(key)));
        return values;
    }

    private void addToSet(Operation.AddToSet operation) {
        String key = operation.key();
        IndexSet members = operation.members();
        barriers.joined(key, entries.addToSet(key, members, barriers.growthOfJoining(key, members)));
    }

    private IndexSet members(String key) {
        Entry entry = entries.find(key);
        if (entry instanceof Entry.Stored) {
            throw Entries.wrongKind(key, entry, "a set or a barrier");
        }
        IndexSet members = IndexSet.empty();
        if (entry instanceof BarrierState barrier) {
            members = barrier.arrived();
        } else if (entry instanceof Entry.Members set) {
            members = set.members();
        }
        work.visit(members.runs() / RUNS_PER_KEY);
        return members;
    }

    private void watch(Operation.Watch operation, KeyspaceSession session) {
        String key = operation.key();
        watches.add(session, key, operation.listener());
        tellState(key, operation.listener(), session);
    }

    private void watchPrefix(Operation.WatchPrefix operation, KeyspaceSession session) {
        String prefix = operation.prefix();
        List<String> keys = entries.keys(prefix);
        long bytes = keys.stream()
                .mapToLong(key -> Sizes.of(key)
                        + Objects.requireNonNull(entries.find(key)).bytes())
                .sum();
        if (keys.size() > MAX_TOLD_KEYS || bytes > MAX_TOLD_BYTES) {
            throw new StoreRequestException(
                    "%d keys of %d bytes start with '%s', but a watch of a prefix may begin with at most %d keys of %d bytes: watch a longer prefix"
                            .formatted(keys.size(), bytes, Limits.shown(prefix), MAX_TOLD_KEYS, MAX_TOLD_BYTES));
        }
        watches.addPrefix(session, prefix, operation.listener());
        keys.forEach(key -> tellState(key, operation.listener(), session));
    }

    private void tellState(String key, Consumer<? super Change> listener, KeyspaceSession session) {
        Entry entry = entries.find(key);
        if (entry instanceof Entry.Stored stored) {
            session.output().tell(listener, new Change.Written(key, stored.value()));
        } else if (entry instanceof Entry.Members set) {
            session.output().tell(listener, new Change.Joined(key, set.members()));
        }
    }
}

package dev.resiliency.store.internal.emulation;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PlainStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Carries out the operations that do not wait with the verbs of a plain store. Confined to the store's thread. */
final class EmulatedOperations {
    private static final Limits LIMITS = Limits.defaults();

    private final PlainStore plain;

    EmulatedOperations(PlainStore plain) {
        this.plain = plain;
    }

    /** Returns the contents of the key; null if it is absent. */
    @Nullable
    Contents contents(String key) {
        LIMITS.check(key);
        List<Value> values = plain.read(List.of(key));
        return values == null ? null : Contents.read(key, values.get(0));
    }

    /** Returns the value of a key; null if it is absent. */
    @Nullable
    Value value(String key) {
        Contents contents = contents(key);
        if (contents == null) {
            return null;
        }
        if (contents instanceof Contents.Plain stored) {
            return stored.value();
        }
        throw wrongKind(key, contents, "a value");
    }

    /** Returns the part of a key's value; null if there is none. */
    @Nullable
    Value part(Operation.GetPart operation) {
        Value value = value(operation.key());
        return value == null ? null : operation.in(value);
    }

    /** Returns the values of all these keys; null unless all exist. */
    @Nullable
    List<Value> values(List<String> keys) {
        keys.forEach(LIMITS::check);
        List<Value> values = plain.read(keys);
        if (values == null) {
            return null;
        }
        for (int i = 0; i < keys.size(); i++) {
            Contents contents = Contents.read(keys.get(i), values.get(i));
            if (!(contents instanceof Contents.Plain)) {
                throw wrongKind(keys.get(i), contents, "a value");
            }
        }
        return values;
    }

    static StoreRequestException wrongKind(String key, Contents contents, String needed) {
        return new StoreRequestException(
                "key %s holds %s, and this operation needs %s".formatted(key, contents.kind(), needed));
    }

    boolean exist(List<String> keys) {
        keys.forEach(LIMITS::check);
        return plain.exist(keys);
    }

    /** Carries out any operation except those that wait or concern a barrier or a watch. */
    @Nullable
    Object run(Operation<?> operation) {
        if (operation instanceof Operation.Set set) {
            checkWritable(set.key(), set.value());
            plain.set(set.key(), set.value());
            return null;
        } else if (operation instanceof Operation.MultiSet set) {
            return multiSet(set.values());
        } else if (operation instanceof Operation.Add add) {
            return add(add);
        } else if (operation instanceof Operation.Append append) {
            return append(append);
        } else if (operation instanceof Operation.CompareAndSet compareAndSet) {
            checkWritable(compareAndSet.key(), compareAndSet.desired());
            return plain.compareAndSet(compareAndSet.key(), compareAndSet.expected(), compareAndSet.desired());
        } else if (operation instanceof Operation.Claim claim) {
            return claim(claim);
        } else if (operation instanceof Operation.Check check) {
            return exist(check.keys());
        } else if (operation instanceof Operation.Delete delete) {
            return plain.delete(delete.key());
        } else if (operation instanceof Operation.DeleteAll delete) {
            return keys(delete.prefix()).stream().filter(plain::delete).count();
        } else if (operation instanceof Operation.KeyCount count) {
            return (long) keys(count.prefix()).size();
        } else if (operation instanceof Operation.Keys keys) {
            return keys(keys.prefix());
        } else if (operation instanceof Operation.AddToSet add) {
            return addToSet(add);
        } else if (operation instanceof Operation.Members members) {
            return members(members.key());
        } else if (operation instanceof Operation.Confirm confirm) {
            return members(confirm.key());
        } else if (operation instanceof Operation.LastWill
                || operation instanceof Operation.Lease
                || operation instanceof Operation.Renew) {
            return null; // no one would carry it out: see SessionStore.keepsSessions
        }
        throw new StoreRequestException("this store cannot carry out " + operation);
    }

    private void checkWritable(String key, Value value) {
        LIMITS.check(key, value);
        value(key);
    }

    private @Nullable Object multiSet(Map<String, Value> values) {
        // All or nothing: the checks of the last key come before the first is written.
        values.forEach(this::checkWritable);
        plain.multiSet(values);
        return null;
    }

    private long add(Operation.Add operation) {
        // Checked first: a plain store may do anything with a value that is not a number.
        Value value = value(operation.key());
        try {
            Math.addExact(value == null ? 0 : value.number(), operation.delta());
        } catch (NumberFormatException e) {
            throw new StoreRequestException(
                    "key %s holds '%s', which is not a number".formatted(operation.key(), value));
        } catch (ArithmeticException e) {
            throw new StoreRequestException(
                    "key %s: %s plus %d overflows the counter".formatted(operation.key(), value, operation.delta()));
        }
        return plain.add(operation.key(), operation.delta());
    }

    private @Nullable Object append(Operation.Append operation) {
        Value value = value(operation.key());
        if ((value == null ? 0 : value.size()) < operation.below()) {
            LIMITS.check(operation.key(), value == null ? operation.value() : value.append(operation.value()));
            plain.append(operation.key(), operation.value());
        }
        return null;
    }

    private Value claim(Operation.Claim operation) {
        LIMITS.check(operation.key(), operation.value());
        Value value = value(operation.key());
        return value == null ? plain.compareAndSet(operation.key(), Value.empty(), operation.value()) : value;
    }

    /** Returns the keys that start with the prefix, in alphabetical order. */
    List<String> keys(String prefix) {
        return plain.keys().stream()
                .filter(key -> key.startsWith(prefix))
                .sorted()
                .toList();
    }

    private @Nullable Object addToSet(Operation.AddToSet operation) {
        Limits.check(operation.members());
        Contents contents = contents(operation.key());
        if (contents != null && !(contents instanceof Contents.Members)) {
            throw wrongKind(operation.key(), contents, "a set");
        }
        IndexSet known = contents instanceof Contents.Members set ? set.members() : IndexSet.empty();
        IndexSet joining = operation.members().minus(known);
        if (contents == null || !joining.isEmpty()) {
            plain.append(operation.key(), Contents.members(joining));
        }
        return null;
    }

    /** Returns the members of a set, or those that have arrived at a barrier. */
    IndexSet members(String key) {
        Contents contents = contents(key);
        if (contents instanceof Contents.Plain) {
            throw wrongKind(key, contents, "a set or a barrier");
        }
        if (contents instanceof Contents.Arrivals barrier) {
            return barrier.arrived();
        }
        return contents instanceof Contents.Members set ? set.members() : IndexSet.empty();
    }

    /** Returns those of the keys that do not exist. */
    List<String> missing(List<String> keys) {
        List<String> missing = new ArrayList<>(keys);
        missing.removeIf(key -> plain.exist(List.of(key)));
        return missing;
    }
}

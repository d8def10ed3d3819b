package dev.resiliency.store.internal;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes how many bytes things count towards the limit of a store: whatever a client can make large, and the objects
 * of which it can make many at little cost.
 */
final class Sizes {
    /** In UTF-8; each half of a surrogate pair takes two of its four bytes. */
    static final int MAX_BYTES_PER_CHARACTER = 3;

    /** A key with its place among the others, besides its text and its value or set. */
    private static final int KEY = 200;

    /** A barrier, besides its name and its participants. */
    static final int BARRIER = 300;

    /** A request while it waits, besides its operations. */
    static final int REQUEST = 500;

    /** An operation, or an entry of a list in one, besides its contents: of the smallest, a frame can hold very many. */
    static final int OPERATION = 64;

    private Sizes() {}

    /** Returns the size of a text, in UTF-8. */
    static int of(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character >= 0x80) {
                // Each half of a surrogate pair counts two of its four bytes.
                bytes += character < 0x800 || Character.isSurrogate(character) ? 1 : 2;
            }
        }
        return bytes;
    }

    /** Returns the size of a key in the store, without its value or set. */
    static long ofStored(String key) {
        return KEY + (long) of(key);
    }

    static long of(BitSet bits) {
        return ofBits(bits.length());
    }

    /** Returns how many more bytes a set takes once these have joined it. */
    static long growth(BitSet set, IndexSet more) {
        return Math.max(0, ofBits(more.highest() + 1) - of(set));
    }

    static long of(Barrier barrier) {
        IndexSet expected = barrier.expected();
        return of(expected)
                + ofOptional(barrier.expectedIn())
                + ofOptional(barrier.excusedIn())
                + of(barrier.whenComplete());
    }

    /** Returns the size of this many operations whose contents take this many bytes. */
    static long of(int operations, long contents) {
        return (long) OPERATION * operations + contents;
    }

    static long of(List<? extends Operation<?>> operations) {
        long bytes = 0;
        for (Operation<?> operation : operations) {
            bytes += OPERATION + contents(operation);
        }
        return bytes;
    }

    private static long contents(Operation<?> operation) {
        if (operation instanceof Operation.Set set) {
            return of(set.key(), set.value());
        } else if (operation instanceof Operation.Get get) {
            return of(get.key());
        } else if (operation instanceof Operation.Add add) {
            return of(add.key());
        } else if (operation instanceof Operation.Append append) {
            return of(append.key(), append.value());
        } else if (operation instanceof Operation.CompareAndSet set) {
            return of(set.key(), set.expected()) + set.desired().size();
        } else if (operation instanceof Operation.Claim claim) {
            return of(claim.key(), claim.value());
        } else if (operation instanceof Operation.Check check) {
            return ofKeys(check.keys());
        } else if (operation instanceof Operation.Await await) {
            return ofKeys(await.keys());
        } else if (operation instanceof Operation.MultiGet get) {
            return ofKeys(get.keys());
        } else if (operation instanceof Operation.MultiSet set) {
            return ofValues(set.values());
        } else if (operation instanceof Operation.Arrive arrive) {
            return of(arrive.barrier().name()) + of(arrive.barrier()) + of(arrive.participants());
        } else if (operation instanceof Operation.AddToSet add) {
            return of(add.key()) + of(add.members());
        } else if (operation instanceof Operation.Confirm confirm) {
            return of(confirm.key()) + of(confirm.members());
        } else if (operation instanceof Operation.LastWill will) {
            return of(will.operations());
        }
        return ofKey(operation);
    }

    /** Returns the size of an operation with a key and nothing else that can be large. */
    private static long ofKey(Operation<?> operation) {
        long[] bytes = {0};
        operation.withKeys(key -> {
            bytes[0] += of(key);
            return key;
        });
        return bytes[0];
    }

    private static long of(String key, Value value) {
        return (long) of(key) + value.size();
    }

    private static long ofKeys(List<String> keys) {
        long bytes = 0;
        for (String key : keys) {
            bytes += OPERATION + of(key);
        }
        return bytes;
    }

    private static long ofValues(Map<String, Value> values) {
        long bytes = 0;
        for (Map.Entry<String, Value> entry : values.entrySet()) {
            bytes += OPERATION + of(entry.getKey(), entry.getValue());
        }
        return bytes;
    }

    private static long of(@Nullable IndexSet set) {
        return set == null ? 0 : (long) set.runs() * 2 * Integer.BYTES;
    }

    private static long ofOptional(@Nullable String text) {
        return text == null ? 0 : of(text);
    }

    private static long ofBits(int bits) {
        return ((long) bits + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
    }
}

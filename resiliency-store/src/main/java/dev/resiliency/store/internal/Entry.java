package dev.resiliency.store.internal;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import java.util.BitSet;

/** The content of a key. */
sealed interface Entry permits Entry.Stored, Entry.Members, BarrierState {

    /** Returns the name of the kind for error messages. */
    static String kind(Class<? extends Entry> type) {
        if (type == Stored.class) {
            return "a value";
        }
        return type == Members.class ? "a set" : "a barrier";
    }

    /** Returns the bytes that it counts, without its key. */
    long bytes();

    /** A value. */
    record Stored(Value value) implements Entry {
        @Override
        public long bytes() {
            return value.size();
        }
    }

    /** A growing set. */
    final class Members implements Entry {
        private final BitSet members = new BitSet();

        /** Adds members; returns the new ones. */
        IndexSet add(IndexSet more) {
            BitSet joined = more.toBitSet();
            joined.andNot(members);
            members.or(joined);
            return IndexSet.copyOf(joined);
        }

        IndexSet members() {
            return IndexSet.copyOf(members);
        }

        @Override
        public long bytes() {
            return Sizes.of(members);
        }

        long growth(IndexSet more) {
            return Sizes.growth(members, more);
        }
    }
}

package dev.resiliency.store;

import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * An immutable set of non-negative integers, such as ranks, that prints as ranges: {@code {0-3, 8, 100-115}}.
 *
 * <p>Barriers count their participants in such sets, and {@link Operation.AddToSet} grows one in the store. 16,384
 * consecutive ranks cost 2 KiB in memory and two numbers on the wire.
 */
public final class IndexSet {
    private static final IndexSet EMPTY = new IndexSet(new BitSet());

    private final BitSet bits;

    private IndexSet(BitSet bits) {
        this.bits = bits;
    }

    /** The set of nothing. */
    public static IndexSet empty() {
        return EMPTY;
    }

    /**
     * The set of the given integers; naming one twice is the same as once.
     *
     * @throws IndexOutOfBoundsException if one of them is negative
     */
    public static IndexSet of(int... members) {
        BitSet bits = new BitSet();
        for (int member : members) {
            bits.set(member);
        }
        return new IndexSet(bits);
    }

    /**
     * The set of all integers from {@code from} up to, but without, {@code to}.
     *
     * @throws IndexOutOfBoundsException if {@code from} is negative or greater than {@code to}
     */
    public static IndexSet range(int from, int to) {
        BitSet bits = new BitSet(Math.max(to, 0));
        bits.set(from, to);
        return new IndexSet(bits);
    }

    /** The set of the positions of all set bits. */
    public static IndexSet copyOf(BitSet bits) {
        return new IndexSet((BitSet) bits.clone());
    }

    /** A new, independent bit set of the members. */
    public BitSet toBitSet() {
        return (BitSet) bits.clone();
    }

    /** Whether {@code member} is in this set; false for a negative one. */
    public boolean contains(int member) {
        return member >= 0 && bits.get(member);
    }

    /** Whether every member of {@code other} is in this set. */
    public boolean containsAll(IndexSet other) {
        return other.minus(this).isEmpty();
    }

    /** Whether this set and {@code other} have a member in common. */
    public boolean intersects(IndexSet other) {
        return bits.intersects(other.bits);
    }

    /** The members of this set and those of {@code other}. */
    public IndexSet union(IndexSet other) {
        BitSet result = toBitSet();
        result.or(other.bits);
        return new IndexSet(result);
    }

    /** The members of this set that are not in {@code other}. */
    public IndexSet minus(IndexSet other) {
        BitSet result = toBitSet();
        result.andNot(other.bits);
        return new IndexSet(result);
    }

    /** How many members there are. */
    public int size() {
        return bits.cardinality();
    }

    /** Whether there is no member. */
    public boolean isEmpty() {
        return bits.isEmpty();
    }

    /** The lowest member, or -1 if there is none. */
    public int lowest() {
        return bits.nextSetBit(0);
    }

    /** The highest member, or -1 if there is none. */
    public int highest() {
        return bits.length() - 1;
    }

    /** The members, in ascending order. */
    public IntStream stream() {
        return bits.stream();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexSet that && bits.equals(that.bits);
    }

    @Override
    public int hashCode() {
        return bits.hashCode();
    }

    /** Ranges in ascending order, {@code {0-3, 8}}; of two neighbours both are named, {@code {1, 2}}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int first = bits.nextSetBit(0); first >= 0; ) {
            int end = bits.nextClearBit(first);
            if (text.length() > 1) {
                text.append(", ");
            }
            text.append(first);
            if (end - first > 1) {
                text.append(end - first == 2 ? ", " : "-").append(end - 1);
            }
            first = bits.nextSetBit(end);
        }
        return text.append('}').toString();
    }
}

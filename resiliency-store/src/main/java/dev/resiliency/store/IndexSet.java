package dev.resiliency.store;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * An immutable set of non-negative integers, such as ranks, that prints as ranges: {@code {0-3, 8, 100-115}}.
 *
 * <p>Barriers count their participants in such sets, and {@code Operation.AddToSet} grows one in the store. It takes
 * two numbers per run of consecutive members, in memory and on the wire, however long the run.
 *
 * @since 0.1.0
 */
public final class IndexSet {
    private static final IndexSet EMPTY = new IndexSet(new int[0]);

    // For each run, its first member and the number after its last, ascending; no two runs touch.
    private final int[] bounds;

    private IndexSet(int[] bounds) {
        this.bounds = bounds;
    }

    /** Returns the empty set. */
    public static IndexSet empty() {
        return EMPTY;
    }

    /**
     * Returns the set of the given integers, which may contain duplicates.
     *
     * @throws IndexOutOfBoundsException if one of them is negative, or {@link Integer#MAX_VALUE}
     */
    public static IndexSet of(int... members) {
        int[] sorted = members.clone();
        Arrays.sort(sorted);
        int[] runs = new int[2 * sorted.length];
        for (int i = 0; i < sorted.length; i++) {
            runs[2 * i] = sorted[i];
            runs[2 * i + 1] = sorted[i] + 1;
        }
        return ofRuns(runs);
    }

    /**
     * Returns the set of all integers from {@code from} (inclusive) to {@code to} (exclusive).
     *
     * @throws IndexOutOfBoundsException if {@code from} is negative or greater than {@code to}
     */
    public static IndexSet range(int from, int to) {
        return ofRuns(from, to);
    }

    /**
     * Returns the set of the members of runs, each given by its first member and the number after its last.
     *
     * @param bounds two numbers for each run, in the order of the first members; runs may touch and overlap
     * @throws IndexOutOfBoundsException if a number is negative, a run ends before it begins, or they are out of order
     */
    public static IndexSet ofRuns(int... bounds) {
        int[] merged = new int[bounds.length];
        int count = 0;
        int lowest = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            int first = bounds[i];
            int end = bounds[i + 1];
            if (first < lowest || end < first) {
                throw new IndexOutOfBoundsException(
                        "invalid range from %d to %d: it must start at %d or later, and not end before it starts"
                                .formatted(first, end, lowest));
            }
            lowest = first;
            if (count > 0 && first <= merged[count - 1]) {
                merged[count - 1] = Math.max(merged[count - 1], end);
            } else if (end > first) {
                merged[count++] = first;
                merged[count++] = end;
            }
        }
        if (count == 0) {
            return EMPTY;
        }
        return new IndexSet(count == merged.length ? merged : Arrays.copyOf(merged, count));
    }

    /** Returns the set of the positions of all set bits. */
    public static IndexSet copyOf(BitSet bits) {
        IntStream.Builder bounds = IntStream.builder();
        int end = 0;
        for (int first = bits.nextSetBit(0); first >= 0; first = bits.nextSetBit(end)) {
            end = bits.nextClearBit(first);
            bounds.add(first).add(end);
        }
        return new IndexSet(bounds.build().toArray());
    }

    /** Returns a new, independent bit set of the members. */
    public BitSet toBitSet() {
        BitSet bits = new BitSet(highest() + 1);
        for (int run = 0; run < runs(); run++) {
            bits.set(first(run), end(run));
        }
        return bits;
    }

    /** Returns the number of runs of consecutive members. */
    public int runs() {
        return bounds.length / 2;
    }

    /** Returns the first member of a run; runs are numbered from 0, in ascending order. */
    public int first(int run) {
        return bounds[2 * run];
    }

    /** Returns the number after the last member of a run, which is not a member. */
    public int end(int run) {
        return bounds[2 * run + 1];
    }

    /** Returns whether {@code member} is in this set; false if it is negative. */
    public boolean contains(int member) {
        int place = Arrays.binarySearch(bounds, member);
        // Members lie between a bound at an even index (inclusive) and the next one (exclusive).
        return (place >= 0 ? place : -place - 2) % 2 == 0;
    }

    /** Returns whether every member of {@code other} is in this set. */
    public boolean containsAll(IndexSet other) {
        return other.minus(this).isEmpty();
    }

    /** Returns whether this set and {@code other} have a member in common. */
    public boolean intersects(IndexSet other) {
        return toBitSet().intersects(other.toBitSet());
    }

    /** Returns the union of this set and {@code other}. */
    public IndexSet union(IndexSet other) {
        BitSet result = toBitSet();
        result.or(other.toBitSet());
        return copyOf(result);
    }

    /** Returns the members of this set that are not in {@code other}. */
    public IndexSet minus(IndexSet other) {
        BitSet result = toBitSet();
        result.andNot(other.toBitSet());
        return copyOf(result);
    }

    /** Returns the members of this set that are in {@code other} as well. */
    public IndexSet intersection(IndexSet other) {
        BitSet result = toBitSet();
        result.and(other.toBitSet());
        return copyOf(result);
    }

    /** Returns the number of members. */
    public int size() {
        int size = 0;
        for (int run = 0; run < runs(); run++) {
            size += end(run) - first(run);
        }
        return size;
    }

    /** Returns whether the set is empty. */
    public boolean isEmpty() {
        return bounds.length == 0;
    }

    /** Returns the lowest member, or -1 if there is none. */
    public int lowest() {
        return isEmpty() ? -1 : bounds[0];
    }

    /** Returns the highest member, or -1 if there is none. */
    public int highest() {
        return isEmpty() ? -1 : bounds[bounds.length - 1] - 1;
    }

    /** Passes each member to {@code action}, in ascending order. */
    public void forEach(IntConsumer action) {
        for (int run = 0; run < runs(); run++) {
            for (int member = first(run); member < end(run); member++) {
                action.accept(member);
            }
        }
    }

    /** Returns the members, in ascending order. */
    public IntStream stream() {
        return IntStream.range(0, runs()).flatMap(run -> IntStream.range(first(run), end(run)));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexSet that && Arrays.equals(bounds, that.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    /** Returns the ranges in ascending order, {@code {0-3, 8}}; a run of two is written {@code {1, 2}}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int run = 0; run < runs(); run++) {
            int first = first(run);
            int end = end(run);
            text.append(run > 0 ? ", " : "").append(first);
            if (end - first > 1) {
                text.append(end - first == 2 ? ", " : "-").append(end - 1);
            }
        }
        return text.append('}').toString();
    }
}

package dev.resiliency.monitor.spi;

import java.util.ArrayList;
import java.util.List;

/**
 * How full the memory of a process is, as it has noted it itself. Each number is {@link #UNKNOWN} if it is not known.
 *
 * @param heap how many percent of its limit the heap had left in use after the last collection
 * @param direct how many MiB direct buffers take
 * @param container how many percent of its limit the container, or the control group, uses, without what the kernel takes back by
 *     itself
 * @param ranOut whether a thread of the function has died as memory ran out, since the iteration began
 * @since 0.1.0
 */
public record MemoryUse(int heap, int direct, int container, boolean ranOut) {
    /** Stands for a number that is not known, or that there is not. */
    public static final int UNKNOWN = -1;

    /** Nothing is known. */
    public static final MemoryUse NONE = new MemoryUse(UNKNOWN, UNKNOWN, UNKNOWN, false);

    private static final int SCARCE = 80;
    private static final int FULL = 95;
    private static final int PERCENT = 100;
    private static final int BYTE = 0xFF;

    /** Is set in the number of those whose memory ran out. */
    private static final long RAN_OUT = Long.MIN_VALUE;

    /** Returns what {@link #toLong} has encoded; whatever it is given. */
    public static MemoryUse ofLong(long encoded) {
        return new MemoryUse(
                percent((int) encoded & BYTE),
                (int) Math.min((encoded & ~RAN_OUT) >>> Short.SIZE, Integer.MAX_VALUE) - 1,
                percent((int) (encoded >>> Byte.SIZE) & BYTE),
                (encoded & RAN_OUT) != 0);
    }

    private static int percent(int encoded) {
        return Math.min(encoded - 1, PERCENT);
    }

    /** Returns the number of the same with memory that has run out, or has not. Allocates nothing. */
    public static long withRanOut(long encoded, boolean ranOut) {
        return ranOut ? encoded | RAN_OUT : encoded & ~RAN_OUT;
    }

    /** Returns all of it in a number, which is 0 if nothing is known. */
    public long toLong() {
        return withRanOut((heap + 1L) | (container + 1L) << Byte.SIZE | (direct + 1L) << Short.SIZE, ranOut);
    }

    /** Returns whether it is little enough to be worth a word about a process that has failed. */
    public boolean isScarce() {
        return heap >= SCARCE || container >= SCARCE || ranOut;
    }

    /** Returns whether a process that does not go on most likely does not since the heap is full. */
    public boolean isHeapFull() {
        return heap >= FULL || ranOut;
    }

    /** Returns the end of a line about a process that has failed: empty unless memory {@linkplain #isScarce is scarce}. */
    public String remark() {
        return isScarce() ? "; " + this : "";
    }

    /** Returns what is known, such as {@code heap 98 % after collection, 12 MiB in direct buffers, container 61 %}. */
    @Override
    public String toString() {
        List<String> known = new ArrayList<>();
        if (ranOut) {
            known.add("a thread has died as memory ran out");
        }
        if (heap != UNKNOWN) {
            known.add("heap " + heap + " % after collection");
        }
        if (direct != UNKNOWN) {
            known.add(direct + " MiB in direct buffers");
        }
        if (container != UNKNOWN) {
            known.add("container " + container + " %");
        }
        return String.join(", ", known);
    }
}

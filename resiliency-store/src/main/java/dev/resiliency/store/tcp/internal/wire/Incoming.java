package dev.resiliency.store.tcp.internal.wire;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The memory of a server for large frames of which a part has arrived. A frame gets room for all of it, in the order in
 * which they ask, and nothing more is read of the others meanwhile. The event loop owns it.
 */
public final class Incoming {
    /** The part of the heap that incomplete frames may take. */
    private static final int PART_OF_HEAP = 8;

    private final long maxBytes;
    private final Queue<Claim> waiting = new ArrayDeque<>();
    private long bytes;

    /** Creates room for this heap, and for at least one frame of the largest size, in bytes. */
    public Incoming(long heap, long largestFrame) {
        this.maxBytes = Math.max(heap / PART_OF_HEAP, largestFrame);
    }

    /** A frame's claim to room. */
    static final class Claim {
        private final int size;
        private final Runnable whenGranted;
        private boolean isGranted;

        private Claim(int size, Runnable whenGranted) {
            this.size = size;
            this.whenGranted = whenGranted;
        }

        boolean isGranted() {
            return isGranted;
        }
    }

    /** Claims room; runs the task if the claim had to wait, once it is granted. */
    Claim claim(int size, Runnable whenGranted) {
        Claim claim = new Claim(size, whenGranted);
        if (waiting.isEmpty() && fits(claim)) {
            grant(claim);
        } else {
            waiting.add(claim);
        }
        return claim;
    }

    /** Ends a claim, granted or not. */
    void giveBack(Claim claim) {
        if (claim.isGranted) {
            bytes -= claim.size;
        } else {
            waiting.remove(claim);
        }
        for (Claim next = waiting.peek(); next != null && fits(next); next = waiting.peek()) {
            grant(waiting.remove());
            next.whenGranted.run();
        }
    }

    private boolean fits(Claim claim) {
        return bytes + claim.size <= maxBytes;
    }

    private void grant(Claim claim) {
        claim.isGranted = true;
        bytes += claim.size;
    }
}

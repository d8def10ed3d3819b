package dev.resiliency.state.internal;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.zip.CRC32C;

/**
 * The chunks of a state during one recovery, and the checksums of those that this rank holds. No chunk spans two
 * buffers. Safe for use by many threads, of which at most one writes a chunk, before its checksum is known.
 */
final class Chunks {
    /** Small enough to stay in the cache of a core between the socket, the checksum and the copy. */
    static final int BYTES = 256 << 10;

    private static final long UNKNOWN = -1;

    private final List<? extends Bytes> regions;
    /** The number of the first chunk of each region, and at the end the number of all chunks. */
    private final int[] first;
    /** Each element is written when the chunk is complete. */
    private final AtomicLongArray checksums;
    /** Whether this rank holds all chunks, though their checksums may not be known yet. Guarded by this. */
    private boolean held;
    /** The threads that wait for a chunk. Guarded by this. */
    private int waiting;
    /** The connections that send chunks. Guarded by this. */
    private int users;

    Chunks(List<? extends Bytes> regions) {
        this.regions = regions;
        this.first = new int[regions.size() + 1];
        for (int i = 0; i < regions.size(); i++) {
            long count = (regions.get(i).bytes() + BYTES - 1) / BYTES;
            first[i + 1] = Math.toIntExact(first[i] + count);
        }
        this.checksums = new AtomicLongArray(count());
        for (int chunk = 0; chunk < count(); chunk++) {
            checksums.set(chunk, UNKNOWN);
        }
    }

    int count() {
        return first[first.length - 1];
    }

    /** Returns the size of the state in bytes. */
    long bytes() {
        return regions.stream().mapToLong(Bytes::bytes).sum();
    }

    /** Returns a buffer for the {@code staging} of the methods below. */
    static ByteBuffer newStaging() {
        return ByteBuffer.allocateDirect(BYTES);
    }

    private int regionOf(int chunk) {
        int low = 0;
        int high = regions.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (first[middle] <= chunk) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private long offset(int chunk, int region) {
        return (long) (chunk - first[region]) * BYTES;
    }

    private int length(int chunk, int region) {
        return (int) Math.min(BYTES, regions.get(region).bytes() - offset(chunk, region));
    }

    int length(int chunk) {
        return length(chunk, regionOf(chunk));
    }

    /** Returns the bytes of a chunk that this rank holds. */
    ByteBuffer read(int chunk, ByteBuffer staging) {
        int region = regionOf(chunk);
        return regions.get(region).read(offset(chunk, region), length(chunk, region), staging);
    }

    /** Returns the space into which to receive a chunk. */
    ByteBuffer target(int chunk, ByteBuffer staging) {
        int region = regionOf(chunk);
        return regions.get(region).target(offset(chunk, region), length(chunk, region), staging);
    }

    /** Takes over a chunk that was received into its target, and lets it be served. */
    void received(int chunk, ByteBuffer filled, long checksum) {
        int region = regionOf(chunk);
        regions.get(region).received(offset(chunk, region), filled);
        setChecksum(chunk, checksum);
    }

    private void setChecksum(int chunk, long checksum) {
        checksums.set(chunk, checksum);
        synchronized (this) {
            if (waiting > 0) {
                notifyAll();
            }
        }
    }

    /** Returns the CRC32C of a chunk; negative if it is not known. */
    long checksum(int chunk) {
        return checksums.get(chunk);
    }

    /** Computes the checksum of a chunk that this rank holds, unless it is known. */
    void compute(int chunk, ByteBuffer staging) {
        if (checksum(chunk) == UNKNOWN) {
            setChecksum(chunk, checksumOf(read(chunk, staging)));
        }
    }

    static long checksumOf(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return crc.getValue();
    }

    /** This rank holds all chunks. Not before it is decided that it need not receive another state. */
    synchronized void hold() {
        held = true;
        notifyAll();
    }

    synchronized void acquire() {
        users++;
    }

    synchronized void release() {
        users--;
    }

    /** Returns whether a connection may still read chunks. */
    synchronized boolean isInUse() {
        return users > 0;
    }

    /** Waits until this rank holds a chunk; returns whether it does. */
    boolean await(int chunk, Duration limit) throws InterruptedException {
        if (checksum(chunk) != UNKNOWN) {
            return true;
        }
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (this) {
            waiting++; // before the check: the thread that sets it after the check sees that somebody waits
            try {
                long left = limit.toNanos();
                while (!held && checksum(chunk) == UNKNOWN && left > 0) {
                    TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
                    left = deadline - System.nanoTime();
                }
                return held || checksum(chunk) != UNKNOWN;
            } finally {
                waiting--;
            }
        }
    }
}

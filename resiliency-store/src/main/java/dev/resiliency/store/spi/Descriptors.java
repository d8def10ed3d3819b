package dev.resiliency.store.spi;

import dev.resiliency.store.spi.guard.OpenFiles;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file descriptors of a process that the connections of others may take, at all of its ports together. The rest is for the
 * process itself: for processes to start, files to write and its own connections. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class Descriptors {
    /** Where nothing says how many files a process may open, and if it may open more. */
    private static final int MOST = 1 << 20;

    private static final int LEAST_RESERVE = 256;
    private static final Descriptors OF_THIS_PROCESS = new Descriptors(readLimit());

    private final int limit;
    /** Guarded by this. */
    private int taken;
    /** Those of the unproved connections. Guarded by this. */
    private int takenByUnproved;
    /** Those of the connections that were to end and are still open, as other threads close them. Guarded by this. */
    private int ending;
    /** Of all ports, oldest first. Guarded by this. */
    private final Set<PortGuard.Place> unproved = new LinkedHashSet<>();

    private Descriptors(int limit) {
        this.limit = limit;
    }

    /** Returns those of this process. */
    public static Descriptors ofThisProcess() {
        return OF_THIS_PROCESS;
    }

    /** Returns those of a process that may open so many files. */
    public static Descriptors of(int limit) {
        return new Descriptors(limit);
    }

    private static int readLimit() {
        try {
            return Math.min(OpenFiles.limit().orElse(MOST), MOST);
        } catch (IOException notOnThisSystem) {
            return MOST;
        }
    }

    /** Returns how many connections of others may take. */
    public int forOthers() {
        return limit - reserve();
    }

    private int reserve() {
        return Math.min(limit / 2, Math.max(LEAST_RESERVE, limit / 4));
    }

    /** Takes some for a server that limits its connections itself; gives them back if negative. */
    public synchronized void setAside(int count) {
        taken += count;
    }

    /**
     * Returns whether so many more fit in, by an unproved connection. Those of connections that are about to close count only if
     * they are many.
     */
    synchronized boolean haveRoomFor(int count) {
        int late = Math.max(0, ending - reserve() / 4);
        return taken - ending + late + count <= forOthers() && takenByUnproved + late + count <= (forOthers() + 1) / 2;
    }

    synchronized void take(PortGuard.Place place, int count) {
        taken += count;
        takenByUnproved += count;
        unproved.add(place);
    }

    /** Notes that an unproved connection is to end, is closed or has proved itself. */
    synchronized void noLongerUnproved(PortGuard.Place place, int count) {
        if (unproved.remove(place)) {
            takenByUnproved -= count;
        }
    }

    /** Notes that a connection is to end. */
    synchronized void end(int count) {
        ending += count;
    }

    /** Notes that a connection is closed. */
    synchronized void giveBack(int count, boolean wasToEnd) {
        taken -= count;
        ending -= wasToEnd ? count : 0;
    }

    /** Returns the oldest of all unproved connections; null if there are none. */
    synchronized PortGuard.@Nullable Place oldest() {
        Iterator<PortGuard.Place> first = unproved.iterator();
        return first.hasNext() ? first.next() : null;
    }

    /** Returns how many files this process may open, in words. */
    @Override
    public String toString() {
        return "the process may open %d files (ulimit -n), %d of them for the connections of others"
                .formatted(limit, forOthers());
    }
}

package dev.resiliency.store.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which connections a port keeps, by one rule for all ports: those that have proved nothing yet give way to others, the
 * oldest first; they take up half of the places and descriptors at most; and each has a limited time in all. So those who cannot
 * prove themselves do not keep out those who can. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class PortGuard {
    private static final Duration LONG = Duration.ofHours(1);

    private final Descriptors descriptors;
    private final int most;
    private final int descriptorsOfEach;
    private final Duration timeToProve;
    private final LongSupplier nanoTime;
    /** Guarded by the descriptors, as all that follows. */
    private int places;
    /** Oldest first. */
    private final Set<Place> unproved = new LinkedHashSet<>();

    /**
     * Creates the guard of a port.
     *
     * @param most how many connections it keeps
     * @param descriptorsOfEach how many a connection takes
     * @param timeToProve how long a connection may take in all until it has proved itself
     * @param nanoTime a clock such as {@link System#nanoTime()}
     */
    public PortGuard(
            Descriptors descriptors, int most, int descriptorsOfEach, Duration timeToProve, LongSupplier nanoTime) {
        this.descriptors = descriptors;
        this.most = Math.max(1, Math.min(most, descriptors.forOthers() / descriptorsOfEach));
        this.descriptorsOfEach = descriptorsOfEach;
        this.timeToProve = timeToProve;
        this.nanoTime = nanoTime;
    }

    /** The place of a connection. Safe for use by many threads. */
    public final class Place {
        private final Consumer<String> end;
        private final long since = nanoTime.getAsLong();
        /** Guarded by the descriptors, as is the other. */
        private boolean isToEnd;

        private boolean isFree;

        private Place(Consumer<String> end) {
            this.end = end;
        }

        /** Notes that the connection has proved itself: it gives way to no other from now on. */
        public void proved() {
            synchronized (descriptors) {
                unproved.remove(this);
                descriptors.noLongerUnproved(this, descriptorsOfEach);
            }
        }

        /** Notes that the connection is closed; idempotent. */
        public void free() {
            synchronized (descriptors) {
                if (!isFree) {
                    isFree = true;
                    proved();
                    places -= isToEnd ? 0 : 1;
                    descriptors.giveBack(descriptorsOfEach, isToEnd);
                }
            }
        }

        /** Another may have this place; the descriptors are taken until the connection is closed. */
        private void leave() {
            isToEnd = true;
            proved();
            places--;
            descriptors.end(descriptorsOfEach);
        }

        private String crowd() {
            return "it made room for another: %d of %d connections had not completed the handshake"
                    .formatted(unproved.size(), places);
        }
    }

    /**
     * Gives a new connection a place; others that have proved nothing may have to give way.
     *
     * @param end ends the connection for a reason, which this port or another finds; any thread calls it, so it must not wait.
     *     {@link Place#free} is to be called as always when the connection is closed
     * @return null if all places are taken by those that have proved themselves: the connection is to be closed
     */
    public @Nullable Place admit(Consumer<String> end) {
        Place place = null;
        List<Ending> endings = new ArrayList<>();
        synchronized (descriptors) {
            if (places >= most || unproved.size() >= (most + 1) / 2) {
                giveWay(oldest(), endings);
            }
            while (!descriptors.haveRoomFor(descriptorsOfEach) && descriptors.oldest() != null) {
                giveWay(descriptors.oldest(), endings);
            }
            if (places < most && descriptors.haveRoomFor(descriptorsOfEach)) {
                place = new Place(end);
                places++;
                unproved.add(place);
                descriptors.take(place, descriptorsOfEach);
            }
        }
        endings.forEach(Ending::run);
        return place;
    }

    /** Ends the oldest unproved connection of this process, as there was no descriptor for another. */
    public void makeRoom() {
        List<Ending> endings = new ArrayList<>();
        synchronized (descriptors) {
            giveWay(descriptors.oldest(), endings);
        }
        endings.forEach(Ending::run);
    }

    /** Ends the connections that have not proved themselves in time. */
    public void expire() {
        List<Ending> endings = new ArrayList<>();
        synchronized (descriptors) {
            long now = nanoTime.getAsLong();
            String reason = "it did not complete the handshake within %d s".formatted(timeToProve.toSeconds());
            for (Place place = oldest();
                    place != null && now - place.since >= timeToProve.toNanos();
                    place = oldest()) {
                place.leave();
                endings.add(new Ending(place, reason));
            }
        }
        endings.forEach(Ending::run);
    }

    /** Returns how long it is until {@link #expire} is due, if no connection is closed before. */
    public Duration untilExpiry() {
        synchronized (descriptors) {
            Place oldest = oldest();
            return oldest == null
                    ? LONG
                    : Duration.ofNanos(Math.max(0, timeToProve.toNanos() - (nanoTime.getAsLong() - oldest.since)));
        }
    }

    private @Nullable Place oldest() {
        Iterator<Place> first = unproved.iterator();
        return first.hasNext() ? first.next() : null;
    }

    /** Returns how many connections it keeps at most. */
    public int most() {
        return most;
    }

    private static void giveWay(@Nullable Place place, List<Ending> endings) {
        if (place != null) {
            String reason = place.crowd();
            place.leave();
            endings.add(new Ending(place, reason));
        }
    }

    /** What is done once the lock is released. */
    private record Ending(Place place, String reason) {
        void run() {
            place.end.accept(reason);
        }
    }
}

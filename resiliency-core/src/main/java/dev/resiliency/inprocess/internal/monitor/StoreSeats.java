package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.internal.protocol.MovedJob;
import dev.resiliency.inprocess.spi.refound.Election;
import dev.resiliency.inprocess.spi.refound.SeatDial;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Connects to the servers of those that host the store, or would. Blocks. */
public final class StoreSeats {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);

    private static final Duration PAUSE = Duration.ofMillis(100);

    private StoreSeats() {}

    /** Returns where rank 0 hosts the first store of a job, unless that has a server of its own. */
    public static StoreSeat first(Environment environment) {
        return new StoreSeat(0, environment.masterAddress(), environment.masterPort());
    }

    /**
     * Returns a way to connect to seats.
     *
     * @param access how to prove that this process may; null for that of the environment
     */
    static Election.Dial dial(String scope, String name, @Nullable StoreAccess access) {
        return SeatDial.of(scope, name, access == null ? store -> {} : access::applyTo);
    }

    /** A session on the store of a job that has moved, and its host. */
    public record Found(SessionStore store, StoreSeat seat) {}

    /**
     * Finds the store on which a job lives.
     *
     * @param seats where it may be
     * @param first where it was first: who is there may know better
     * @throws StoreLostException if there is none within the limit
     */
    public static Found find(
            List<StoreSeat> seats, StoreSeat first, String scope, String name, String prefix, Duration limit)
            throws InterruptedException {
        Set<StoreSeat> known = new LinkedHashSet<>(seats);
        long deadline = System.nanoTime() + limit.toNanos();
        StoreException failure = null;
        for (long left = limit.toNanos(); left > 0; left = deadline - System.nanoTime()) {
            for (StoreSeat seat : known) {
                SessionStore store = null;
                try {
                    store = dial(scope, name, null).connect(seat);
                    MovedJob.awaitFoundation(new PrefixStore(prefix, store), CONNECT_LIMIT);
                    return new Found(store, seat);
                } catch (StoreException notThere) {
                    failure = notThere;
                    if (store != null) {
                        store.close();
                    }
                }
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            known.addAll(askMove(first, scope, name, prefix));
        }
        throw new StoreLostException(
                known.toString(), "the job was not found within %.1f s".formatted(limit.toMillis() / 1e3), failure);
    }

    private static List<StoreSeat> askMove(StoreSeat there, String scope, String name, String prefix)
            throws InterruptedException {
        try (SessionStore store = dial(scope, name, null).connect(there)) {
            return MovedJob.ask(new PrefixStore(prefix, store));
        } catch (StoreException notThere) {
            return List.of();
        }
    }

    /** Tells a store that is where the job once was that it lives elsewhere; does nothing if there is none. */
    public static void tellMove(StoreSeat there, StoreSeat here, String scope, String prefix)
            throws InterruptedException {
        try (SessionStore store = dial(scope, "announcer", null).connect(there)) {
            MovedJob.tell(new PrefixStore(prefix, store), here).get();
        } catch (StoreException | ExecutionException notThere) {
            return; // as usual
        }
    }
}

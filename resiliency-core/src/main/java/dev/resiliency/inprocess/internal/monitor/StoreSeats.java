package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.internal.protocol.MovedJob;
import dev.resiliency.inprocess.internal.protocol.StoreSeat;
import dev.resiliency.inprocess.internal.refound.Election;
import dev.resiliency.inprocess.internal.refound.Election.SeatGoneException;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.TcpStore;
import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
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

    /** Returns the address of this host at which whoever reaches the store reaches this process as well. */
    public static String addressTowards(StoreAddress store) {
        InetSocketAddress there = new InetSocketAddress(store.host(), store.port());
        InetAddress address = there.getAddress();
        if (address == null || address.isLoopbackAddress()) {
            return store.host();
        }
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(there); // which sends nothing, and chooses the address
            return socket.getLocalAddress().getHostAddress();
        } catch (SocketException e) {
            throw new StoreException("this host has no address towards " + store + ": " + e.getMessage(), e);
        }
    }

    /** Returns where rank 0 hosts the first store of a job, unless that has a server of its own. */
    public static StoreSeat first(Environment environment) {
        return new StoreSeat(0, environment.masterAddress(), environment.masterPort());
    }

    /**
     * Returns a way to connect to seats.
     *
     * @param access how to prove that this process may; null for that of the environment
     */
    public static Election.Dial dial(String scope, String name, @Nullable StoreAccess access) {
        return seat -> {
            probe(seat);
            TcpStore.Builder store = TcpStore.builder()
                    .host(seat.host())
                    .port(seat.port())
                    .scope(scope)
                    .name(name)
                    .connectTimeout(CONNECT_LIMIT);
            if (access != null) {
                access.applyTo(store);
            }
            return store.connect();
        };
    }

    /** Fails at once if nothing listens there, where a client of the store would try again. */
    private static void probe(StoreSeat seat) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(seat.host(), seat.port()), (int) CONNECT_LIMIT.toMillis());
        } catch (ConnectException refused) {
            throw new SeatGoneException(seat, refused);
        } catch (IOException e) {
            throw new StoreException("rank %d cannot be reached: %s".formatted(seat.rank(), e.getMessage()), e);
        }
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

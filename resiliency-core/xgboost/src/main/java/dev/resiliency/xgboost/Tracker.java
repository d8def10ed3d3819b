package dev.resiliency.xgboost;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.spi.socket.LocalAddress;
import dev.resiliency.inprocess.spi.socket.LocalUser;
import dev.resiliency.inprocess.spi.socket.LoopbackServer;
import dev.resiliency.inprocess.spi.socket.PeerAddresses;
import dev.resiliency.inprocess.spi.socket.SocketAddresses;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.spi.SessionStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for XGBoost's tracker: each process has one of its own, on the loopback interface, backed by the store of the
 * iteration. So the ranks meet through that store, with its secret, its TLS and its prefix, and no rank hosts a tracker
 * for the others.
 *
 * <p>Locking: the monitor of this object guards all fields that are not final.
 *
 * <p>Threads: {@code resiliency-xgboost-tracker}, and one for each connection, until the group is closed.
 */
final class Tracker implements AutoCloseable {
    private final CallWrapper call;
    private final String prefix;
    private final InetAddress own;
    private final Duration limit;
    private final LoopbackServer server;
    /** Null until XGBoost has told its ports. */
    private @Nullable Worker worker;
    /** Null unless XGBoost waits for the other ranks. */
    private @Nullable Thread waiting;

    /** Where all active ranks listen; empty before they have met. */
    private List<InetSocketAddress> addresses = List.of();

    private boolean isAborted;
    private String problem = "";

    /**
     * The ports at which XGBoost listens in this process.
     *
     * @param port for other ranks
     * @param errorPort for what ends the process, or the thread that listens there
     */
    record Worker(int port, int errorPort) {}

    private Tracker(CallWrapper call, String prefix, InetAddress own, Duration limit) throws IOException {
        this.call = call;
        this.prefix = prefix;
        this.own = own;
        this.limit = limit;
        this.server = LoopbackServer.start(
                "resiliency-xgboost-tracker", LocalUser::owns, socket -> new TrackerConnection(this, socket));
    }

    /**
     * Starts a tracker for one more group of an iteration.
     *
     * @param limit of the wait for the other ranks
     */
    static Tracker start(CallWrapper call, Duration limit) throws IOException, InterruptedException {
        Store store = call.store();
        long number = store.add("xgboost/groups-of/" + call.state().activeRank(), 1); // the same on all ranks
        return new Tracker(call, "xgboost/group/" + number + "/", address(store), limit);
    }

    private static InetAddress address(Store store) throws IOException {
        return LocalAddress.towards(store instanceof SessionStore session ? session.address() : null);
    }

    String host() {
        return server.host();
    }

    int port() {
        return server.port();
    }

    int size() {
        return call.state().activeWorldSize();
    }

    /** Returns the active rank of the next rank in the ring, from which XGBoost infers its own. */
    int next() {
        return (call.state().activeRank() + 1) % size();
    }

    /** Returns the ports of XGBoost; null before it has told them. */
    synchronized @Nullable Worker worker() {
        return worker;
    }

    /** Returns where all active ranks listen; empty before they have met. */
    synchronized List<InetSocketAddress> addresses() {
        return addresses;
    }

    /** Returns why ranks cannot be connected; empty if nothing is wrong here. */
    synchronized String problem() {
        return problem;
    }

    /** Returns where all active ranks listen, once all have come; null if they have not, or the restart has begun. */
    @Nullable
    List<InetSocketAddress> meet(Worker its) throws InterruptedException {
        if (!begin(its)) {
            return null;
        }
        try {
            String address = SocketAddresses.text(new InetSocketAddress(own, its.port()));
            List<InetSocketAddress> all = PeerAddresses.exchange(call, prefix, address, limit).stream()
                    .map(SocketAddresses::parse)
                    .toList();
            synchronized (this) {
                addresses = all;
            }
            return all;
        } catch (RestartSignal begun) {
            return null;
        } catch (TimeoutException e) {
            synchronized (this) {
                problem = String.valueOf(e.getMessage());
            }
            return null;
        } finally {
            end();
        }
    }

    /** Waits until all active ranks have left the group. */
    void awaitOthersLeaving() throws InterruptedException {
        int size = size();
        call.store()
                .barrier(
                        prefix + "left",
                        IndexSet.range(0, size),
                        IndexSet.of(call.state().activeRank()),
                        Store.FOREVER);
    }

    private synchronized boolean begin(Worker its) {
        worker = its;
        waiting = isAborted ? null : Thread.currentThread();
        return !isAborted;
    }

    private synchronized void end() {
        waiting = null;
    }

    /** Ends the wait for other ranks, and refuses later ones. What else XGBoost asks for is answered until the end. */
    synchronized void abort() {
        isAborted = true;
        if (waiting != null) {
            waiting.interrupt();
        }
    }

    @Override
    public void close() {
        server.close();
    }
}

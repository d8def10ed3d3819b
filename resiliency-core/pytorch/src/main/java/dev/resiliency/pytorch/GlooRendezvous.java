package dev.resiliency.pytorch;

import static java.util.Objects.requireNonNull;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.spi.socket.NativeSockets;
import dev.resiliency.inprocess.spi.socket.PeerAddresses;
import dev.resiliency.inprocess.spi.socket.PeerConnections;
import dev.resiliency.inprocess.spi.socket.SocketAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meeting of the ranks of a Gloo group. Each publishes the address of its listener in the store of the iteration,
 * waits for those of all others, and only then lets Gloo connect: so nearly all of the waiting is in Java, where an
 * interrupt ends it.
 *
 * <p>Gloo itself connects on a thread of its own, since it may wait for a rank that has died meanwhile, and nothing
 * ends that wait but its timeout: that thread is then left behind, and frees what it has made. Confined to the thread of the
 * function, but for that.
 *
 * <p>Thread: {@code resiliency-pytorch-connect}, for the connect timeout at most.
 */
final class GlooRendezvous implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GlooRendezvous.class);
    private static final Duration SLICE = Duration.ofMillis(50);
    /** Published by a rank that does not know its own address. */
    private static final String NONE = "unknown";

    private final CallWrapper call;
    private final StoreBridge bridge;
    private final GlooAbort abort;

    private GlooRendezvous(CallWrapper call, StoreBridge bridge) {
        this.call = call;
        this.bridge = bridge;
        this.abort = new GlooAbort(bridge);
    }

    /** Opens what a restart must close, and registers that with the iteration. */
    static GlooRendezvous begin(CallWrapper call) throws InterruptedException {
        GlooRendezvous rendezvous = new GlooRendezvous(call, StoreBridge.open(call, "gloo"));
        call.onAbort(rendezvous.abort);
        return rendezvous;
    }

    int rank() {
        return call.state().activeRank();
    }

    int size() {
        return call.state().activeWorldSize();
    }

    GlooAbort abort() {
        return abort;
    }

    /**
     * Connects to all ranks. Closes everything if that fails.
     *
     * @param connectTimeout limits the wait for the others, and then Gloo's connections
     * @param timeout of each operation later
     */
    @SuppressWarnings("try") // the wait is only closed
    GlooBackend complete(Duration connectTimeout, Duration timeout) throws InterruptedException {
        boolean isComplete = false;
        long start = System.nanoTime();
        try (HangProtectionPause wait = call.waitsForPeers()) {
            GlooListener listener = GlooListener.open();
            long listens = System.nanoTime();
            exchange(listener, connectTimeout);
            long met = System.nanoTime();
            GlooBackend backend = connect(new GlooConnector(rank(), size(), bridge, listener, connectTimeout, timeout));
            LOG.debug(
                    "a Gloo group of {} ranks is connected: listener {}, others {}, connections {} ms",
                    size(),
                    millis(start, listens),
                    millis(listens, met),
                    millis(met, System.nanoTime()));
            isComplete = true;
            return backend;
        } catch (IOException | IllegalStateException e) {
            throw new ProcessGroupException(rank(), "gloo", String.valueOf(e.getMessage()), e);
        } finally {
            if (!isComplete) {
                close();
            }
        }
    }

    private static long millis(long from, long to) {
        return TimeUnit.NANOSECONDS.toMillis(to - from);
    }

    /** Publishes the own address, and waits for those of all ranks; closes the listener if that fails. */
    private void exchange(GlooListener listener, Duration limit) throws InterruptedException {
        boolean isComplete = false;
        try {
            InetSocketAddress own = listener.address();
            List<String> addresses = exchange(own == null ? NONE : SocketAddresses.text(own), limit);
            NativeSockets sockets = NativeSockets.find();
            if (sockets != null) {
                abort.connects(new PeerConnections(
                        sockets,
                        addresses.stream()
                                .filter(text -> !text.equals(NONE))
                                .map(SocketAddresses::parse)
                                .collect(Collectors.toSet())));
            }
            isComplete = true;
        } finally {
            if (!isComplete) {
                listener.close();
            }
        }
    }

    private List<String> exchange(String own, Duration limit) throws InterruptedException {
        try {
            return PeerAddresses.exchange(call, bridge.prefix() + "-listener/", own, limit);
        } catch (TimeoutException e) {
            throw new ProcessGroupException(rank(), "gloo", String.valueOf(e.getMessage()), null);
        }
    }

    private GlooBackend connect(GlooConnector connector) throws InterruptedException {
        CompletableFuture<GlooBackend> connected = new CompletableFuture<>();
        Thread thread = new Thread(() -> connect(connector, connected), "resiliency-pytorch-connect");
        thread.setDaemon(true);
        thread.start();
        boolean isTaken = false;
        try {
            while (true) {
                try {
                    GlooBackend backend = connected.get(SLICE.toNanos(), TimeUnit.NANOSECONDS);
                    isTaken = true;
                    return backend;
                } catch (TimeoutException notYet) {
                    call.checkRestart();
                }
            }
        } catch (ExecutionException e) {
            call.checkRestart(); // which also ends the rendezvous
            Throwable cause = requireNonNull(e.getCause());
            throw new ProcessGroupException(rank(), "gloo", String.valueOf(cause.getMessage()), cause);
        } finally {
            if (!isTaken && !connected.cancel(false) && !connected.isCompletedExceptionally()) {
                connected.join().close(); // it came too late
            }
        }
    }

    private static void connect(GlooConnector connector, CompletableFuture<GlooBackend> connected) {
        try {
            GlooBackend backend = connector.connect();
            if (!connected.complete(backend)) {
                backend.close();
            }
        } catch (RuntimeException | Error e) {
            if (!connected.completeExceptionally(e)) {
                LOG.debug("a rendezvous that was left behind ended: {}", e.toString());
            }
        }
    }

    @Override
    public void close() {
        abort.connects(null);
        bridge.close();
    }
}

package dev.resiliency.inprocess.spi.refound;

import dev.resiliency.inprocess.spi.refound.Election.SeatGoneException;
import dev.resiliency.store.StoreException;
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
import java.util.function.Consumer;

/** Connects to the servers of those that would host the store. Blocks. */
public final class SeatDial {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);

    private SeatDial() {}

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

    /**
     * Returns a way to connect to seats.
     *
     * @param access says how to prove that this process may, if not by its environment
     */
    public static Election.Dial of(String scope, String name, Consumer<? super TcpStore.Builder> access) {
        return seat -> {
            probe(seat);
            TcpStore.Builder store = TcpStore.builder()
                    .host(seat.host())
                    .port(seat.port())
                    .scope(scope)
                    .name(name)
                    .connectTimeout(CONNECT_LIMIT);
            access.accept(store);
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
            throw new StoreException("successor %d cannot be reached: %s".formatted(seat.rank(), e.getMessage()), e);
        }
    }
}

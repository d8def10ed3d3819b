package dev.resiliency.store.tcp.internal.client;

import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.internal.server.ServerConnection;
import dev.resiliency.store.tcp.internal.server.ServerSettings;
import dev.resiliency.store.tcp.internal.server.ServerState;
import dev.resiliency.store.tcp.internal.wire.Credentials;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import dev.resiliency.store.tcp.internal.wire.FlushQueue;
import dev.resiliency.store.tcp.internal.wire.FrameDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server and its clients on the thread of a test, which decides whether bytes are carried between them. Time passes
 * only when the test advances it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // channels are closed, and that shows
final class EmbeddedNetwork implements AutoCloseable {
    static final Endpoint ENDPOINT = new Endpoint(new StoreAddress("host", 77, "scope"));

    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private ServerState server = newServer();

    /** The two ends of a connection. */
    final class Link {
        final EmbeddedChannel client = newChannel();
        final EmbeddedChannel server = newChannel();
        private boolean isCut;
        private boolean isHeld;
        private int carried;

        /** Drops everything from now on, in both directions, including the end of the connection. */
        void cut() {
            isCut = true;
        }

        /** Starts or stops holding everything back. */
        void hold(boolean isHeld) {
            this.isHeld = isHeld;
        }

        /** Carries what the client has written to the server, and nothing back. */
        void carryToServer() {
            runTasks();
            carry(client, server);
            runTasks();
        }

        /** Carries what the server has written to the client, and nothing back. */
        void carryToClient() {
            runTasks();
            carry(server, client);
            runTasks();
        }

        /** Makes the kernel at the server's end give up. */
        void timeOutAtServer() {
            cut();
            server.pipeline().fireExceptionCaught(new IOException("Connection timed out"));
        }

        /** Returns how many pieces have been carried to either end. */
        int carried() {
            return carried;
        }

        private boolean deliver() {
            if (isHeld) {
                return false;
            }
            boolean isMoved = carry(client, server);
            isMoved |= carry(server, client);
            if (!isCut && client.isOpen() != server.isOpen()) {
                (client.isOpen() ? client : server).close();
                isMoved = true;
            }
            return isMoved;
        }

        private boolean carry(EmbeddedChannel from, EmbeddedChannel to) {
            boolean isMoved = false;
            for (ByteBuf bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
                isMoved = true;
                if (isCut || !to.isOpen()) {
                    bytes.release();
                } else {
                    carried++;
                    to.writeInbound(bytes);
                }
            }
            return isMoved;
        }
    }

    private EmbeddedChannel newChannel() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        channels.add(channel);
        return channel;
    }

    private ServerState newServer() {
        return new ServerState(
                newChannel().eventLoop(),
                new ServerSettings("scope", Credentials.NONE, false, Limits.defaults()),
                Descriptors.of(1 << 20));
    }

    ServerState server() {
        return server;
    }

    /** Replaces the server's process with another one; connections stay as they are. */
    void restartServer() {
        server = newServer();
    }

    /** Returns the connections so far, the oldest first. */
    List<Link> links() {
        return links;
    }

    Link lastLink() {
        return links.get(links.size() - 1);
    }

    /** Creates a client whose every dial creates a link. */
    Client newClient(Duration grace) {
        Client client = new Client();
        CompletableFuture<ClientConnection> first =
                client.dial(new Dialer.TimeLimits(Duration.ZERO, Duration.ZERO, Duration.ZERO));
        deliver();
        client.session = new ClientSession(ENDPOINT, client, first.join(), grace);
        return client;
    }

    /** A session and its dialer. */
    final class Client implements Dialer {
        private final EventLoop loop = newChannel().eventLoop();
        private final List<Runnable> held = new ArrayList<>();
        private @Nullable ClientSession session;
        private boolean isHeld;
        private int dialings;

        ClientSession session() {
            return Objects.requireNonNull(session);
        }

        int dialings() {
            return dialings;
        }

        /** Holds all dials from now on. */
        void holdDialings() {
            isHeld = true;
        }

        /** Lets held and future dials connect. */
        void letDialingsGoOn() {
            isHeld = false;
            held.forEach(Runnable::run);
            held.clear();
        }

        @Override
        public EventLoop eventLoop() {
            return loop;
        }

        @Override
        public CompletableFuture<ClientConnection> dial(TimeLimits limits) {
            dialings++;
            CompletableFuture<ClientConnection> welcome = new CompletableFuture<>();
            if (isHeld) {
                held.add(() -> connect(welcome));
                loop.schedule(
                        () -> welcome.completeExceptionally(
                                ENDPOINT.unreachable(dialings, limits.total(), new IOException("nobody there"))),
                        limits.total().toNanos(),
                        TimeUnit.NANOSECONDS);
            } else {
                connect(welcome);
            }
            return welcome;
        }

        private void connect(CompletableFuture<ClientConnection> welcome) {
            Link link = new Link();
            links.add(link);
            ServerConnection.install(server, null, link.server);
            ClientHandshake handshake = new ClientHandshake("scope", null);
            FlushQueue flushes = new FlushQueue(link.client.eventLoop());
            link.client
                    .pipeline()
                    .addLast(new FrameDecoder(), new ClientConnection(handshake, link.client, flushes, welcome));
            link.client.pipeline().fireChannelActive();
        }
    }

    private void runTasks() {
        List.copyOf(channels).forEach(EmbeddedChannel::runPendingTasks);
    }

    /** Carries bytes and runs tasks until nothing is left to do. */
    void deliver() {
        boolean isMoved = true;
        while (isMoved) {
            runTasks();
            isMoved = false;
            for (Link link : List.copyOf(links)) {
                isMoved |= link.deliver();
            }
        }
    }

    /** Lets time pass in small steps. */
    void advance(Duration duration) {
        long step = 250;
        for (long passed = 0; passed < duration.toMillis(); passed += step) {
            channels.forEach(channel -> channel.advanceTimeBy(step, TimeUnit.MILLISECONDS));
            List.copyOf(channels).forEach(EmbeddedChannel::runScheduledPendingTasks);
            deliver();
        }
    }

    @Override
    public void close() {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }
}

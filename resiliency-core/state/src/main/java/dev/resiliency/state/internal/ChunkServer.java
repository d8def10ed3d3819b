package dev.resiliency.state.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Challenge;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.spi.PortGuard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the chunks of parts of the state that this rank holds; a chunk that it still waits for itself, as soon as it has
 * it. One thread accepts, and one serves each connection, with one chunk of memory. It serves while a recovery lasts or, for
 * copies, until the iteration ends.
 *
 * <pre>
 * at first the name of what is to be sent: its length (int), the text of a {@link Copied} in UTF-8
 * request  chunk (int)
 * answer   its CRC32C (long), its bytes, as many as the layout says
 * </pre>
 */
final class ChunkServer {
    /** How long a client may be silent: it asks ahead, or has all it wants. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** Less than {@link #SILENCE}, after which the client would look for another source anyway. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** No more than {@link Agreement#FAN_OUT} are sent here, and those whose source has failed; and strangers come. */
    private static final int MAX_CONNECTIONS = 128;

    /** Of a connection: its socket, and the two of its selector. */
    private static final int DESCRIPTORS = 3;

    /** In all: another rank needs some milliseconds. */
    private static final Duration TIME_TO_PROVE = Duration.ofSeconds(2);

    /** Between two warnings about strangers. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    /** A part has a number for each of its buffers. */
    private static final int MAX_NAME = 1 << 20;

    /** After a failure to accept, which would come again at once. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final Logger LOG = LoggerFactory.getLogger(ChunkServer.class);

    private final ServerSocketChannel server;
    private final Served served;
    private final Connections connections;
    private final PeerSecret secret;
    /** Null if nothing is encrypted. */
    private final @Nullable PeerCertificate certificate;

    private final PortGuard guard;
    /** Connections that were ended or refused since the last warning about them. */
    private final AtomicInteger turnedAway = new AtomicInteger();
    /** When the last warning was written, if ever. Confined to the thread that accepts. */
    private @Nullable Long warnedAt;

    private ChunkServer(
            ServerSocketChannel server,
            Served served,
            Connections connections,
            PeerSecret secret,
            @Nullable PeerCertificate certificate,
            PortGuard guard) {
        this.server = server;
        this.served = served;
        this.connections = connections;
        this.secret = secret;
        this.certificate = certificate;
        this.guard = guard;
    }

    /**
     * Starts to serve, on any free port of this address.
     *
     * @param rank the initial rank of this process
     * @param storeSecret that of the job's store; null if it has none
     * @param encrypts whether connections are encrypted
     * @param descriptors those of the process
     */
    static Peer start(
            int rank,
            InetAddress address,
            @Nullable SecretKey storeSecret,
            boolean encrypts,
            Served served,
            Connections connections,
            Descriptors descriptors)
            throws IOException {
        Value nonce = Challenge.newNonce();
        String token = HexFormat.of().formatHex(nonce.bytes());
        ServerSocketChannel server = connections.add(ServerSocketChannel.open());
        server.bind(new InetSocketAddress(address, 0), MAX_CONNECTIONS);
        PeerCertificate certificate = encrypts ? PeerCertificate.create() : null;
        PortGuard guard = new PortGuard(descriptors, MAX_CONNECTIONS, DESCRIPTORS, TIME_TO_PROVE, System::nanoTime);
        ChunkServer serving =
                new ChunkServer(server, served, connections, new PeerSecret(storeSecret, token), certificate, guard);
        connections.start("accept", serving::accept);
        return new Peer(
                rank,
                address.getHostAddress(),
                server.socket().getLocalPort(),
                token,
                certificate == null ? "" : certificate.fingerprint());
    }

    private void accept() throws IOException {
        try (Selector selector = Selector.open()) {
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            connections.add(selector); // only now: whoever closes a selector fails while a channel registers with it
            for (int number = 0; ; ) {
                selector.select(guard.untilExpiry().toMillis() + 1);
                selector.selectedKeys().clear();
                guard.expire();
                for (PeerChannel client = acceptOne(); client != null; client = acceptOne()) {
                    admit(client, number++);
                }
                warn();
            }
        } catch (ClosedSelectorException closed) {
            LOG.debug("The server is closed", closed);
        }
    }

    private @Nullable PeerChannel acceptOne() throws IOException {
        try {
            SocketChannel client = server.accept();
            return client == null ? null : PeerChannel.of(client, SILENCE);
        } catch (ClosedChannelException closed) {
            throw closed;
        } catch (IOException noDescriptor) {
            LOG.debug("A connection cannot be accepted", noDescriptor);
            guard.makeRoom();
            LockSupport.parkNanos(PAUSE.toNanos());
            return null;
        }
    }

    private void admit(PeerChannel client, int number) throws IOException {
        connections.add(client);
        PortGuard.Place place = guard.admit(reason -> end(client, reason));
        if (place == null) {
            end(client, "all places are taken");
        } else if (!connections.start("serve-" + number, () -> serve(client, place))) {
            place.free();
        }
    }

    /** Ends a connection; the thread that serves it notices. */
    private void end(PeerChannel client, String reason) {
        LOG.debug("Closed the connection of {}: {}", client, reason);
        turnedAway.incrementAndGet();
        try {
            connections.close(client);
        } catch (IOException e) {
            LOG.debug("A connection could not be closed", e);
        }
    }

    /** Strangers must not fill the log. */
    private void warn() {
        long now = System.nanoTime();
        Long last = warnedAt;
        if (turnedAway.get() > 0 && (last == null || now - last >= QUIET.toNanos())) {
            warnedAt = now;
            LOG.warn(
                    "Closed {} connections to the port at which this rank sends its state: they did not prove in time that"
                            + " they belong to this job, or were too many",
                    turnedAway.getAndSet(0));
        }
    }

    private void serve(PeerChannel client, PortGuard.Place place) throws IOException, InterruptedException {
        try {
            if (certificate != null) {
                client.encrypt(PeerTls.server(certificate));
            }
            secret.proveAsServer(client);
            place.proved();
            serve(client);
        } finally {
            connections.close(client);
            place.free();
        }
    }

    private void serve(PeerChannel channel) throws IOException, InterruptedException {
        Copied name = name(channel);
        Chunks chunks = served.acquire(name, LONGEST_WAIT);
        if (chunks == null) {
            throw new IOException(name + " is not here");
        }
        try {
            serve(channel, chunks);
        } finally {
            chunks.release();
        }
    }

    private static Copied name(PeerChannel channel) throws IOException {
        int length = channel.read(Integer.BYTES).getInt();
        if (length < 0 || length > MAX_NAME) {
            throw new IOException("a name of " + length + " bytes is asked for");
        }
        try {
            return Copied.decode(UTF_8.decode(channel.read(length)).toString());
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException("something without a name is asked for", e);
        }
    }

    /** Answers requests until the client closes the connection. */
    private static void serve(PeerChannel channel, Chunks chunks) throws IOException, InterruptedException {
        ByteBuffer staging = Chunks.newStaging();
        ByteBuffer checksum = ByteBuffer.allocate(Long.BYTES);
        while (true) {
            int chunk = channel.read(Integer.BYTES).getInt();
            if (chunk < 0 || chunk >= chunks.count() || !chunks.await(chunk, LONGEST_WAIT)) {
                throw new IOException("chunk " + chunk + " is not here");
            }
            chunks.compute(chunk, staging);
            ByteBuffer bytes = chunks.read(chunk, staging);
            channel.write(checksum.clear().putLong(chunks.checksum(chunk)).flip(), bytes);
        }
    }
}

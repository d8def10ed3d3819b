package dev.resiliency.state.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Challenge;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.Semaphore;
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

    /** No more than {@link Agreement#FAN_OUT} are sent here, and those whose source has failed. */
    private static final int MAX_CONNECTIONS = 64;

    /** A part has a number for each of its buffers. */
    private static final int MAX_NAME = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(ChunkServer.class);

    private final ServerSocketChannel server;
    private final Served served;
    private final Connections connections;
    private final PeerSecret secret;
    /** Null if nothing is encrypted. */
    private final @Nullable PeerCertificate certificate;

    private final Semaphore free = new Semaphore(MAX_CONNECTIONS);

    private ChunkServer(
            ServerSocketChannel server,
            Served served,
            Connections connections,
            PeerSecret secret,
            @Nullable PeerCertificate certificate) {
        this.server = server;
        this.served = served;
        this.connections = connections;
        this.secret = secret;
        this.certificate = certificate;
    }

    /**
     * Starts to serve, on any free port of this address.
     *
     * @param rank the initial rank of this process
     * @param storeSecret that of the job's store; null if it has none
     * @param encrypts whether connections are encrypted
     */
    static Peer start(
            int rank,
            InetAddress address,
            @Nullable SecretKey storeSecret,
            boolean encrypts,
            Served served,
            Connections connections)
            throws IOException {
        Value nonce = Challenge.newNonce();
        String token = HexFormat.of().formatHex(nonce.bytes());
        ServerSocketChannel server = connections.add(ServerSocketChannel.open());
        server.bind(new InetSocketAddress(address, 0), MAX_CONNECTIONS);
        PeerCertificate certificate = encrypts ? PeerCertificate.create() : null;
        ChunkServer serving =
                new ChunkServer(server, served, connections, new PeerSecret(storeSecret, token), certificate);
        connections.start("accept", serving::accept);
        return new Peer(
                rank,
                address.getHostAddress(),
                server.socket().getLocalPort(),
                token,
                certificate == null ? "" : certificate.fingerprint());
    }

    private void accept() throws IOException {
        for (int number = 0; ; number++) {
            SocketChannel client = server.accept();
            boolean isServed = free.tryAcquire() && connections.start("serve-" + number, () -> serve(client));
            if (!isServed) {
                LOG.warn("{} is refused: {} connections are open", client.getRemoteAddress(), MAX_CONNECTIONS);
                client.close();
            }
        }
    }

    private void serve(SocketChannel client) throws IOException, InterruptedException {
        try {
            PeerChannel channel = connections.add(PeerChannel.of(client, SILENCE));
            try {
                if (certificate != null) {
                    channel.encrypt(PeerTls.server(certificate));
                }
                secret.proveAsServer(channel);
                serve(channel);
            } finally {
                connections.close(channel);
            }
        } finally {
            free.release();
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

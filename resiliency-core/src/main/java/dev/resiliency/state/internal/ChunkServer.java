package dev.resiliency.state.internal;

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
 * Serves the chunks of this rank's state while a recovery lasts; a chunk that it still waits for itself, as soon as it
 * has it. One thread accepts, and one serves each connection, with one chunk of memory.
 *
 * <pre>
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

    private static final Logger LOG = LoggerFactory.getLogger(ChunkServer.class);

    private final ServerSocketChannel server;
    private final Chunks chunks;
    private final Connections connections;
    private final PeerSecret secret;
    private final Semaphore free = new Semaphore(MAX_CONNECTIONS);

    private ChunkServer(ServerSocketChannel server, Chunks chunks, Connections connections, PeerSecret secret) {
        this.server = server;
        this.chunks = chunks;
        this.connections = connections;
        this.secret = secret;
    }

    /**
     * Starts to serve, on any free port of this address.
     *
     * @param rank the initial rank of this process
     * @param storeSecret that of the job's store; null if it has none
     */
    static Peer start(
            int rank, InetAddress address, @Nullable SecretKey storeSecret, Chunks chunks, Connections connections)
            throws IOException {
        Value nonce = Challenge.newNonce();
        String token = HexFormat.of().formatHex(nonce.bytes());
        ServerSocketChannel server = connections.add(ServerSocketChannel.open());
        server.bind(new InetSocketAddress(address, 0), MAX_CONNECTIONS);
        ChunkServer serving = new ChunkServer(server, chunks, connections, new PeerSecret(storeSecret, token));
        connections.start("accept", serving::accept);
        return new Peer(rank, address.getHostAddress(), server.socket().getLocalPort(), token);
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
                secret.proveAsServer(channel);
                serve(channel);
            } finally {
                connections.close(channel);
            }
        } finally {
            free.release();
        }
    }

    /** Answers requests until the client closes the connection. */
    private void serve(PeerChannel channel) throws IOException, InterruptedException {
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

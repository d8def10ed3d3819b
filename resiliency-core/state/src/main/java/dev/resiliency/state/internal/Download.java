package dev.resiliency.state.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.IndexSet;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the chunks of the state from several sources at once, each on a thread of its own. When one fails, its thread
 * goes on with the next source.
 */
final class Download {
    /** A source waits for its own source for at most half of this. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** So many chunks are asked for ahead, to bridge the time for which a request and its answer travel. */
    private static final int AHEAD = 8;

    /** How often each source is tried before the transfer fails. */
    private static final int TRIES = 2;

    /** How long a source that refuses this rank is asked again, as it may have too many connections. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(Download.class);

    private final String name;
    private final Chunks chunks;
    private final Pace pace;
    private final @Nullable SecretKey storeSecret;
    private final Connections connections;
    private final ChunkQueue queue;
    private final int atOnce;
    /** Written before the threads are started. */
    private long start;
    /** Those to be tried next. Guarded by itself. */
    private final Deque<Peer> sources = new ArrayDeque<>();
    /** The initial ranks that have sent something. Guarded by {@code sources}. */
    private final TreeSet<Integer> senders = new TreeSet<>();
    /** How long it took until the first chunk was here. Guarded by {@code sources}. */
    private Duration connecting = Duration.ZERO;
    /** What has gone wrong. Guarded by {@code sources}. */
    private final List<String> failures = new ArrayList<>();

    /**
     * @param name what is received
     * @param chunks the space for it
     * @param pace how fast
     */
    Download(
            Copied name,
            Chunks chunks,
            Sources from,
            Pace pace,
            @Nullable SecretKey storeSecret,
            Connections connections) {
        this.name = name.encode();
        this.chunks = chunks;
        this.pace = pace;
        this.storeSecret = storeSecret;
        this.connections = connections;
        this.atOnce = from.atOnce();
        this.queue = new ChunkQueue(chunks.count(), atOnce);
        for (int i = 0; i < TRIES; i++) {
            sources.addAll(from.peers());
        }
    }

    /** Receives all chunks; returns whether it has: if not, {@link #failures} says why. */
    boolean run() throws InterruptedException {
        start = System.nanoTime();
        for (int i = 0; i < atOnce; i++) {
            if (!connections.start("fetch-" + i, this::receive)) {
                queue.leave();
            }
        }
        return queue.awaitEnd();
    }

    IndexSet senders() {
        synchronized (sources) {
            return IndexSet.of(senders.stream().mapToInt(rank -> rank).toArray());
        }
    }

    /** Returns how long it took until the first chunk was here; zero if none has come. */
    Duration connecting() {
        synchronized (sources) {
            return connecting;
        }
    }

    String failures() {
        synchronized (sources) {
            return String.join("; ", failures);
        }
    }

    private void receive() throws IOException, InterruptedException {
        try {
            Duration pause = FIRST_PAUSE;
            Outcome outcome = Outcome.FAILED;
            for (Peer source = nextSource(); source != null; source = outcome == Outcome.DONE ? null : nextSource()) {
                outcome = receiveFrom(source);
                if (outcome == Outcome.REFUSED) {
                    TimeUnit.MILLISECONDS.sleep(pause.toMillis());
                    pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
                    synchronized (sources) {
                        sources.add(source); // others first, if there are any
                    }
                }
            }
        } finally {
            queue.leave();
        }
    }

    private @Nullable Peer nextSource() {
        synchronized (sources) {
            return connections.isClosed() ? null : sources.poll();
        }
    }

    /** What has become of the attempt to receive from a source. */
    private enum Outcome {
        /** All chunks have arrived, from this source or another. */
        DONE,
        /** The source has closed the connection before it was agreed that this rank belongs to the job. */
        REFUSED,
        FAILED
    }

    private Outcome receiveFrom(Peer source) throws InterruptedException {
        Deque<Integer> asked = new ArrayDeque<>();
        boolean isAdmitted = false;
        try {
            PeerChannel channel = connections.add(PeerChannel.of(SocketChannel.open(), SILENCE));
            try {
                channel.connect(new InetSocketAddress(source.host(), source.port()));
                if (!source.fingerprint().isEmpty()) {
                    channel.encrypt(PeerTls.client(source.fingerprint()));
                }
                new PeerSecret(storeSecret, source.token()).proveAsClient(channel);
                isAdmitted = true;
                askFor(channel);
                receiveChunks(source, channel, asked);
                return Outcome.DONE;
            } finally {
                connections.close(channel);
            }
        } catch (IOException e) {
            if (!isAdmitted && isRefusal(e) && System.nanoTime() - start < PATIENCE.toNanos()) {
                LOG.debug("{} refuses this rank ({}), which tries again", source, e.toString());
                return Outcome.REFUSED;
            }
            if (!connections.isClosed()) {
                boolean hasOthers;
                synchronized (sources) {
                    failures.add(source + ": " + e);
                    hasOthers = sources.stream().anyMatch(each -> !each.equals(source));
                }
                if (hasOthers) {
                    LOG.warn("{} does not send its state ({}); another source takes its place", source, e.toString());
                } // else whoever waits for all says what is missing
            }
            return Outcome.FAILED;
        } finally {
            queue.giveBack(asked); // none, if all have arrived
        }
    }

    /** Returns whether the connection was closed: a source that is not there, silent or another one does not refuse. */
    private static boolean isRefusal(IOException problem) {
        return problem instanceof EOFException
                || problem.getClass() == SocketException.class
                || problem.getClass() == IOException.class;
    }

    private void askFor(PeerChannel channel) throws IOException {
        byte[] text = name.getBytes(UTF_8);
        channel.write(ByteBuffer.allocate(Integer.BYTES).putInt(text.length).flip(), ByteBuffer.wrap(text));
    }

    private void receiveChunks(Peer source, PeerChannel channel, Deque<Integer> asked)
            throws IOException, InterruptedException {
        ByteBuffer staging = Chunks.newStaging();
        Integer next = queue.take();
        while (next != null) {
            ask(channel, next, asked);
            next = asked.size() < AHEAD ? queue.poll() : null;
            while (next == null && !asked.isEmpty()) {
                receiveChunk(source, channel, asked.element(), staging);
                asked.remove();
                queue.arrived();
                next = queue.poll();
            }
            if (next == null) {
                next = queue.take();
            }
        }
    }

    private static void ask(PeerChannel channel, int chunk, Deque<Integer> asked) throws IOException {
        asked.add(chunk); // first: it must be given back even if the request fails
        channel.write(ByteBuffer.allocate(Integer.BYTES).putInt(chunk).flip());
    }

    private void receiveChunk(Peer source, PeerChannel channel, int chunk, ByteBuffer staging)
            throws IOException, InterruptedException {
        pace.await(chunks.length(chunk));
        long checksum = channel.read(Long.BYTES).getLong();
        ByteBuffer target = chunks.target(chunk, staging);
        channel.read(target);
        target.flip();
        if (Chunks.checksumOf(target) != checksum) {
            throw new IOException("chunk " + chunk + " was damaged on the way");
        }
        chunks.received(chunk, target, checksum);
        synchronized (sources) {
            if (senders.isEmpty()) {
                connecting = Duration.ofNanos(System.nanoTime() - start);
            }
            senders.add(source.rank());
        }
    }
}

package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.store.Store;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sums arrays over all ranks: a ring all-reduce over plain blocking sockets on one host.
 *
 * <p>Each rank sends to the next one and receives from the previous one. A peer that dies or hangs blocks all others,
 * as in a real job; {@link #close} unblocks them, from another thread and at any time.
 *
 * <pre>{@code
 * try (Ring ring = Ring.of(call)) {
 *     ring.allReduce(gradient);
 * }
 * }</pre>
 *
 * <p><b>Why it cannot deadlock.</b> Each rank writes before it reads, so with writes as long as the chunks, all ranks
 * could wait for space in full socket buffers. Therefore chunks are sent in pieces, and a rank reads one piece before it
 * writes the next: if all ranks were blocked in a write, less than one piece per link would be in flight, and a socket
 * buffer holds more than that.
 */
public final class Ring implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);
    private static final int CONNECT_MILLIS = Math.toIntExact(CONNECT_TIMEOUT.toMillis());
    private static final int PIECE = 4096;
    /** At which address of this host the ranks reach each other. */
    private static final String ADDRESS = System.getProperty("resiliency.ring.address", "127.0.0.1");

    private final int rank;
    private final int worldSize;
    private final int next;
    private final int previous;

    private final byte[] bytes = new byte[PIECE * Float.BYTES];
    private final FloatBuffer floats = ByteBuffer.wrap(bytes).asFloatBuffer();
    private DataOutputStream toNext = new DataOutputStream(OutputStream.nullOutputStream());
    private DataInputStream fromPrevious = new DataInputStream(InputStream.nullInputStream());

    private final List<Closeable> sockets = new ArrayList<>(); // guarded by this
    private boolean closed; // guarded by this

    /** Creates a ring for rank {@code rank} of {@code worldSize}, not connected yet. */
    public Ring(int rank, int worldSize) {
        this.rank = rank;
        this.worldSize = worldSize;
        next = (rank + 1) % worldSize;
        previous = (rank + worldSize - 1) % worldSize;
    }

    /** Returns a ring of all active ranks, once all are connected; a restart closes it, and ends the wait of each rank. */
    @SuppressWarnings("try") // the pause is only closed
    static Ring of(CallWrapper call) throws IOException, InterruptedException {
        Ring ring = new Ring(call.state().activeRank(), call.state().activeWorldSize());
        call.onAbort(ring::close); // before connecting, which can block as well
        try (HangProtectionPause wait = call.waitsForPeers()) {
            ring.connect(call.store());
            ring.allReduce(new float[1]); // returns once all are connected
            return ring;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            ring.close();
            throw e;
        }
    }

    /** Returns the rank of this process in the ring. */
    int rank() {
        return rank;
    }

    /** Returns the number of ranks. */
    int worldSize() {
        return worldSize;
    }

    /**
     * Connects to the neighbours, whose addresses are exchanged through the store. Every rank must call this, with a
     * store that no earlier ring has used.
     *
     * @throws IOException if a neighbour cannot be reached, or the ring is closed meanwhile
     */
    public void connect(Store store) throws IOException, InterruptedException {
        if (worldSize == 1) {
            return;
        }
        try (ServerSocket server = opened(new ServerSocket(0, 1, InetAddress.getByName(ADDRESS)))) {
            store.set("ring/" + rank, Integer.toString(server.getLocalPort()));
            int port =
                    Integer.parseInt(store.get("ring/" + next, CONNECT_TIMEOUT).text());
            // The kernel accepts in the background, so that every rank may first connect and then accept.
            reachNext(port);
            awaitPrevious(server);
        }
    }

    private void reachNext(int port) throws IOException {
        try {
            Socket socket = opened(new Socket());
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(ADDRESS, port), CONNECT_MILLIS);
            toNext = new DataOutputStream(socket.getOutputStream());
            toNext.writeInt(rank);
        } catch (IOException e) {
            throw failure("cannot reach rank " + next, e);
        }
    }

    private void awaitPrevious(ServerSocket server) throws IOException {
        try {
            server.setSoTimeout(CONNECT_MILLIS);
            fromPrevious = new DataInputStream(opened(server.accept()).getInputStream());
            int caller = fromPrevious.readInt();
            if (caller != previous) {
                throw new IOException("rank " + caller + " connected instead");
            }
        } catch (IOException e) {
            throw failure("was not contacted by rank " + previous, e);
        }
    }

    /**
     * Replaces each element by its sum over all ranks; the result is the same, to the bit, on all of them.
     *
     * @throws IOException if a neighbour is gone, or the ring is closed meanwhile
     */
    public void allReduce(float[] data) throws IOException {
        // reduce-scatter: in the end this rank holds the sum of chunk rank + 1
        for (int i = 0; i < worldSize - 1; i++) {
            exchange(data, rank - i, rank - i - 1, true);
        }
        for (int i = 0; i < worldSize - 1; i++) { // all-gather: passes the sums on
            exchange(data, rank - i + 1, rank - i, false);
        }
    }

    private void exchange(float[] data, int chunkToSend, int chunkToReceive, boolean add) throws IOException {
        int sent = startOf(chunkToSend, data);
        int sendEnd = endOf(chunkToSend, data);
        int received = startOf(chunkToReceive, data);
        int receiveEnd = endOf(chunkToReceive, data);
        while (sent < sendEnd || received < receiveEnd) {
            sent += send(data, sent, Math.min(PIECE, sendEnd - sent));
            received += receive(data, received, Math.min(PIECE, receiveEnd - received), add);
        }
    }

    private int startOf(int chunk, float[] data) {
        return (int) ((long) data.length * Math.floorMod(chunk, worldSize) / worldSize);
    }

    private int endOf(int chunk, float[] data) {
        return (int) ((long) data.length * (Math.floorMod(chunk, worldSize) + 1) / worldSize);
    }

    private int send(float[] data, int from, int count) throws IOException {
        floats.clear().put(data, from, count);
        try {
            toNext.write(bytes, 0, count * Float.BYTES);
        } catch (IOException e) {
            throw failure("cannot send to rank " + next, e);
        }
        return count;
    }

    private int receive(float[] data, int from, int count, boolean add) throws IOException {
        try {
            fromPrevious.readFully(bytes, 0, count * Float.BYTES);
        } catch (IOException e) {
            throw failure("cannot receive from rank " + previous, e);
        }
        floats.clear();
        for (int i = from; i < from + count; i++) {
            data[i] = add ? data[i] + floats.get() : floats.get();
        }
        return count;
    }

    private synchronized IOException failure(String what, IOException cause) {
        String reason = closed ? "the ring was closed" : "that rank died or left the ring";
        return new IOException("rank " + rank + " of " + worldSize + " " + what + ": " + reason, cause);
    }

    /** Records a socket for {@link #close}; closes it at once if the ring is closed already. */
    private synchronized <S extends Closeable> S opened(S socket) throws IOException {
        if (closed) {
            socket.close();
            throw new SocketException("the ring was closed");
        }
        sockets.add(socket);
        return socket;
    }

    /** Unblocks every call, now and later, with an {@link IOException}. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        for (Closeable socket : sockets) {
            socket.close();
        }
    }
}

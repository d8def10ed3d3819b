package dev.resiliency.examples.bench.scale;

import dev.resiliency.store.tcp.TcpStore;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Records what a real client of the store sends, byte for byte, for replay. It is a server that greets one client, responds
 * to its pings, and answers each request without results, so that the client forgets it.
 */
final class Tape implements AutoCloseable {
    // The Javadoc of Frames in the store shows the format.
    private static final int PREFACE_BYTES = 8;
    private static final int LENGTH_BYTES = 4;
    private static final int HEADER_BYTES = 9;
    private static final int REQUEST = 2;
    private static final int KEEP = 6;
    private static final int PING = 9;
    private static final int WELCOME = 16;
    private static final int REPLY = 18;
    private static final int PONG = 24;
    private static final int TOKEN_BYTES = 32;
    private static final long ONE_WAY = 0;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final ServerSocket server;
    private final BlockingQueue<ByteBuffer> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<ByteBuffer> keeps = new LinkedBlockingQueue<>();
    private final TcpStore store;

    Tape() throws IOException, InterruptedException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve, "tape");
        thread.setDaemon(true);
        thread.start();
        store = TcpStore.builder()
                .name("tape")
                .port(server.getLocalPort())
                .secret(null)
                .tls(null)
                .connect();
    }

    /** Returns the client, whose requests are recorded and fail. */
    TcpStore store() {
        return store;
    }

    /** Returns the token with which a client may reconnect. */
    ByteBuffer keep() throws InterruptedException {
        return take(keeps);
    }

    /** Returns the next requests that the client sent. */
    List<ByteBuffer> requests(int count) throws InterruptedException {
        List<ByteBuffer> taken = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            taken.add(take(requests));
        }
        return taken;
    }

    private static ByteBuffer take(BlockingQueue<ByteBuffer> frames) throws InterruptedException {
        ByteBuffer frame = frames.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        if (frame == null) {
            throw new IllegalStateException("the recorded client sent less than expected");
        }
        return frame;
    }

    private void serve() {
        try (Socket client = server.accept()) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()));
            in.skipNBytes(PREFACE_BYTES);
            in.skipNBytes(in.readInt()); // its hello
            welcome(out);
            record(in, out);
        } catch (IOException over) {
            if (!server.isClosed()) {
                throw new UncheckedIOException(over);
            }
        }
    }

    private static void welcome(DataOutputStream out) throws IOException {
        int mostBytes = 1 << 24;
        ByteBuffer body = ByteBuffer.allocate(64).putShort((short) 1).putLong(1).put((byte) 0);
        for (int rest = mostBytes; rest > 0; rest >>>= 7) {
            body.put((byte) (rest > 0x7F ? (rest & 0x7F) | 0x80 : rest));
        }
        body.put((byte) TOKEN_BYTES).position(body.position() + TOKEN_BYTES);
        out.writeInt(HEADER_BYTES + body.position());
        out.writeByte(WELCOME);
        out.writeLong(0);
        out.write(body.array(), 0, body.position());
        out.flush();
    }

    private void record(DataInputStream in, DataOutputStream out) throws IOException {
        long received = 0;
        while (true) {
            byte[] frame = new byte[LENGTH_BYTES + in.readInt()];
            ByteBuffer.wrap(frame).putInt(frame.length - LENGTH_BYTES);
            in.readFully(frame, LENGTH_BYTES, frame.length - LENGTH_BYTES);
            switch (frame[LENGTH_BYTES]) {
                case REQUEST -> {
                    received++;
                    requests.add(ByteBuffer.wrap(frame));
                    answer(ByteBuffer.wrap(frame).getLong(LENGTH_BYTES + 1), out);
                }
                case KEEP -> keeps.add(ByteBuffer.wrap(frame));
                case PING -> {
                    out.writeInt(HEADER_BYTES);
                    out.writeByte(PONG);
                    out.writeLong(received);
                    out.flush();
                }
                default -> {}
            }
        }
    }

    private static void answer(long request, DataOutputStream out) throws IOException {
        if (request != ONE_WAY) {
            out.writeInt(HEADER_BYTES + 1);
            out.writeByte(REPLY);
            out.writeLong(request);
            out.writeByte(0); // results
            out.flush();
        }
    }

    /** Closes the client and ends the recording. */
    @Override
    public void close() throws IOException {
        server.close();
        store.close();
    }
}

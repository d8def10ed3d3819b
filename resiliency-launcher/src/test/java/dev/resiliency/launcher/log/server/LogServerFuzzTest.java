package dev.resiliency.launcher.log.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.resiliency.launcher.rpc.log.LogAggregationServiceGrpc;
import dev.resiliency.launcher.rpc.log.LogChunk;
import dev.resiliency.launcher.rpc.log.StreamResponse;
import dev.resiliency.store.tcp.Secret;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections and calls to a log server in which something is wrong; all lines of a node arrive meanwhile. */
@Timeout(900)
class LogServerFuzzTest extends ServedJob {
    private static final int CONVERSATIONS = Integer.getInteger("resiliency.conversations", 20);
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
    private static final int LEFT_OPEN = 100;
    /** Fewer than the streams that the server serves at a time. */
    private static final int HELD_OPEN = 40;

    private static final int LINES_OF_EACH = 2;

    private final long seed = Long.getLong("resiliency.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<Socket> leftOpen = new ArrayList<>();

    /** Does something wrong again and again beside a node that writes lines, and checks that all of these arrive. */
    private void runBeside(@Nullable Secret secret, Wrong wrong) throws Exception {
        LogServer server = serve(secret);
        Node node = new Node("healthy", secret);
        int lines = CONVERSATIONS * LINES_OF_EACH;
        try {
            for (int line = 1; line <= lines; line += LINES_OF_EACH) {
                wrong.happen();
                node.write(line, line + LINES_OF_EACH - 1);
            }
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(linesOfTheNode())
                            .as("seed %d, %s", seed, complaints)
                            .containsSubsequence(IntStream.rangeClosed(1, lines)
                                    .mapToObj(number -> "healthy line " + number)
                                    .toList()));
            assertThat(server.port()).isEqualTo(port);
        } finally {
            for (Socket each : leftOpen) {
                each.close();
            }
        }
    }

    /** What a client may do. */
    private interface Wrong {
        void happen() throws Exception;
    }

    private List<String> linesOfTheNode() throws IOException {
        return linesOf("healthy", 0).stream()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
    }

    @Test
    void noBytesOfStrangersKeepLinesBack() throws Exception {
        runBeside(SECRET, this::sendBytes);
    }

    private void sendBytes() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        try {
            socket.getOutputStream().write(bytesOfAStranger());
        } catch (IOException closedByTheServer) {
            // as it should
        }
        if (random.nextInt(3) == 0) {
            leftOpen.add(socket);
            if (leftOpen.size() > LEFT_OPEN) {
                leftOpen.remove(0).close();
            }
        } else {
            socket.close();
        }
    }

    private byte[] bytesOfAStranger() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (random.nextInt(5) > 0) {
            out.writeBytes(PREFACE);
            out.writeBytes(frame(4, 0, new byte[0])); // SETTINGS
        }
        for (int frames = random.nextInt(20); frames > 0; frames--) {
            byte[] payload = new byte[random.nextInt(4) == 0 ? 8 : random.nextInt(200)];
            random.nextBytes(payload);
            out.writeBytes(frame(random.nextInt(11), random.nextInt(4), payload));
        }
        byte[] bytes = out.toByteArray();
        if (random.nextInt(3) == 0) {
            for (int i = random.nextInt(5); i > 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
        }
        return bytes;
    }

    /** Returns a frame of HTTP/2: length, type, flags, stream. */
    private byte[] frame(int type, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) 0)
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) (type == 4 ? 0 : random.nextInt(64)))
                .putInt(stream)
                .put(payload)
                .array();
    }

    @Test
    void noCallsOfOthersHideLines() throws Exception {
        Deque<ManagedChannel> held = new ArrayDeque<>();
        try {
            runBeside(null, () -> {
                ManagedChannel channel = Grpc.newChannelBuilder(
                                "127.0.0.1:" + port, InsecureChannelCredentials.create())
                        .build();
                held.add(channel);
                int calls = random.nextInt(20);
                while (calls > 0 && callEnds(channel)) {
                    calls--;
                }
                if (held.size() > HELD_OPEN) {
                    held.remove().shutdownNow();
                }
            });
        } finally {
            held.forEach(ManagedChannel::shutdownNow);
        }
    }

    /** Calls the server; returns false if the call is held open. */
    private boolean callEnds(ManagedChannel channel) throws InterruptedException {
        CountDownLatch isOver = new CountDownLatch(1);
        StreamObserver<LogChunk> chunks = LogAggregationServiceGrpc.newStub(channel)
                .streamLogs(new StreamObserver<>() {
                    @Override
                    public void onNext(StreamResponse response) {}

                    @Override
                    public void onError(Throwable refused) {
                        isOver.countDown();
                    }

                    @Override
                    public void onCompleted() {
                        isOver.countDown();
                    }
                });
        for (int i = random.nextInt(4); i >= 0; i--) {
            chunks.onNext(chunk());
        }
        switch (random.nextInt(8)) {
            case 0 -> chunks.onError(new IllegalStateException("fuzz"));
            case 1 -> {
                return false;
            }
            default -> chunks.onCompleted();
        }
        assertThat(isOver.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("seed %d", seed)
                .isTrue();
        return true;
    }

    private LogChunk chunk() {
        byte[] data = new byte[random.nextInt(10) == 0 ? 100_000 : random.nextInt(100)];
        random.nextBytes(data);
        return LogChunk.newBuilder()
                .setNodeId(random.nextInt(2) == 0 ? "healthy" : text())
                .setFilePath(random.nextInt(4) == 0 ? text() : "train_cycle" + random.nextInt(3) + ".log")
                .setFirstLine(random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(2000))
                .setSession(random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(3))
                .setData(ByteString.copyFrom(data))
                .build();
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(300); i > 0; i--) {
            text.append((char) random.nextInt(0xD800));
        }
        return text.toString();
    }
}

package dev.resiliency.store.tcp.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.ServerProcess;
import dev.resiliency.store.tcp.TcpStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Mutated frames for a server with little memory, which keeps serving another client. */
class FuzzIT {
    private static final int FRAMES = Integer.getInteger("resiliency.frames", 20_000);
    private static final long POLL_NANOS = 20_000;
    private static final long MAX_RESIDENT_KIB = 400 << 10;

    private final long seed = System.nanoTime();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @Test
    void serverSurvivesMutatedFrames() throws Exception {
        try (ServerProcess server = ServerProcess.start(
                List.of("-Xmx96m", "-XX:MaxDirectMemorySize=64m", "-XX:+ExitOnOutOfMemoryError"),
                Map.of(),
                "--port",
                "0",
                "--max-total-bytes",
                String.valueOf(16 << 20),
                "--max-keys",
                "10000")) {
            int port = server.port();
            CompletableFuture<Integer> answers = CompletableFuture.supplyAsync(() -> serveHealthyClient(port));
            int connections = feed(port, answers);
            isOver.set(true);

            assertThat(answers.get()).as("answers, seed %d", seed).isPositive();
            assertThat(server.process().isAlive()).as("seed %d", seed).isTrue();
            assertThat(server.errors()).as("seed %d", seed).doesNotContain("ERROR");
            assertThat(residentKib(server.process())).as("seed %d", seed).isLessThan(MAX_RESIDENT_KIB);
            System.out.printf(
                    "Fed %d frames on %d connections beside %d answers; %d KiB resident, seed %d%n",
                    FRAMES, connections, answers.get(), residentKib(server.process()), seed);
        }
    }

    /** Feeds the frames; returns the number of connections. Only frames that were certainly read count. */
    private int feed(int port, CompletableFuture<Integer> answers) throws IOException {
        FuzzedFrames source = new FuzzedFrames(seed);
        int connections = 0;
        int unread = 0;
        for (int frames = 0; frames < FRAMES; connections++) {
            assertThat(answers).as("the healthy client, seed %d", seed).isNotDone();
            FuzzedFrames.Batch batch = source.next();
            if (isRead(port, batch)) {
                frames += batch.frames();
            } else {
                unread++;
            }
        }
        // A mutated lease may expire at once, which ends the connection early.
        assertThat(unread).as("seed %d", seed).isLessThan(connections / 5);
        return connections;
    }

    /** Sends a batch, with the breaking frame once the others have been read; returns whether they have. */
    private static boolean isRead(int port, FuzzedFrames.Batch batch) throws IOException {
        try (SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            MarkReader reader = new MarkReader();
            while (reader.read(channel)) {
                ByteBuffer out = reader.hasMark() ? batch.breaking() : batch.readable();
                if (write(channel, out) > 0) {
                    continue;
                }
                if (reader.hasMark() && !out.hasRemaining()) {
                    shutDown(channel); // in case the breaking frame is merely too short
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
            return reader.hasMark();
        }
    }

    private static void shutDown(SocketChannel channel) {
        try {
            channel.shutdownOutput();
        } catch (IOException closed) {
            // by the server, which shows on reading
        }
    }

    /** Writes; if the server has closed the connection, that shows on reading. */
    private static int write(SocketChannel channel, ByteBuffer bytes) {
        try {
            return channel.write(bytes);
        } catch (IOException closed) {
            bytes.position(bytes.limit());
            return 0;
        }
    }

    /** Looks for the answer to the last request in the server's output. */
    private static final class MarkReader {
        private final ByteBuffer in = ByteBuffer.allocate(1 << 20);
        private long skip;
        private boolean hasMark;

        boolean hasMark() {
            return hasMark;
        }

        /** Returns whether the connection is still open. */
        boolean read(SocketChannel channel) {
            try {
                int count = channel.read(in);
                in.flip();
                while (in.hasRemaining() && (skip > 0 || in.remaining() >= 13)) {
                    int skipped = (int) Math.min(skip, in.remaining());
                    in.position(in.position() + skipped);
                    skip -= skipped;
                    if (skip == 0 && in.remaining() >= 13) {
                        int length = in.getInt();
                        in.get();
                        hasMark |= in.getLong() == FuzzedFrames.MARK;
                        skip = length - 9L;
                    }
                }
                in.compact();
                return count >= 0;
            } catch (IOException reset) {
                return false;
            }
        }
    }

    /** Sends requests in a loop; returns the number of answers. */
    private int serveHealthyClient(int port) {
        int answers = 0;
        try (TcpStore store = TcpStore.builder()
                .name("healthy")
                .port(port)
                .timeout(Duration.ofSeconds(10))
                .connect()) {
            while (!isOver.get()) {
                Value value = Value.of(answers);
                try {
                    assertThat(store.batch(
                                            store.timeout(),
                                            new Operation.Set("healthy", value),
                                            new Operation.Get("healthy"))
                                    .get(1))
                            .isEqualTo(value);
                } catch (StoreRequestException full) {
                    assertThat(full).hasMessageContaining("(max-");
                }
                assertThat(store.check(List.of("never"))).isFalse();
                answers++;
                Thread.sleep(1);
            }
            return answers;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static long residentKib(Process process) throws IOException {
        return Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}

package dev.resiliency.store.tcp.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Holdings;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.wire.Credentials;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.OperationCodec;
import dev.resiliency.store.tcp.internal.wire.RandomOperations;
import dev.resiliency.store.tcp.internal.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients connect, wait, are disconnected and leave; the server is then as it was before. Leaked buffers fail the
 * class.
 */
class ComeAndGoIT {
    private static final int CLIENTS = 10_000;
    private static final int AT_ONCE = 500;
    private static final Duration HOUR = Duration.ofHours(1);

    private Server server;

    @BeforeEach
    void start() throws Exception {
        ServerSettings settings = new ServerSettings("", Credentials.NONE, false, Limits.defaults());
        server = Server.start("localhost", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), settings);
    }

    @AfterEach
    void end() {
        server.close(Duration.ZERO);
    }

    private Statistics statistics() {
        try {
            return Objects.requireNonNull(server.statistics());
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Tag("full")
    @Test
    void tenThousandClientsLeaveNothingBehind() throws Exception {
        assertThat(statistics().holdings()).isEqualTo(new Holdings(0, 0, 0, 0, 0));
        for (int first = 0; first < CLIENTS; first += AT_ONCE) {
            List<Socket> sockets = new ArrayList<>();
            for (int client = first; client < first + AT_ONCE; client++) {
                sockets.add(come(client));
            }
            await().atMost(Duration.ofMinutes(5))
                    .until(() -> statistics().holdings().waiting() == 2 * AT_ONCE);
            assertThat(statistics().holdings().watches()).isEqualTo(AT_ONCE);
            for (int client = first; client < first + AT_ONCE; client++) {
                go(client, sockets.get(client - first));
            }
            await().atMost(Duration.ofMinutes(5)).untilAsserted(() -> {
                Holdings left = statistics().holdings(); // which a connection that is closed may not yet have left
                assertThat(left).isEqualTo(new Holdings(1, left.bytes(), 0, 0, 0)); // the barrier
            });
            assertThat(statistics().connections()).isZero();
        }
        try (Socket last = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            last.getOutputStream().write(concat(hello(), request(1, new Operation.DeleteAll(""))));
            await().until(() -> statistics().holdings().keys() == 0);
        }

        await().until(() -> statistics().holdings().equals(new Holdings(0, 0, 0, 0, 0)));
    }

    private Socket come(int client) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        String own = "client-" + client;
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, CLIENTS + 1));
        socket.getOutputStream()
                .write(concat(
                        hello(),
                        request(
                                1,
                                new Operation.Set(own, Value.of("text")),
                                new Operation.Watch("watched", new RandomOperations.NumberedListener(client)),
                                new Operation.Lease(HOUR),
                                new Operation.LastWill(List.of(new Operation.Delete(own)))),
                        request(2, new Operation.Get("missing")),
                        request(3, new Operation.Arrive(barrier, IndexSet.of(client), true))));
        return socket;
    }

    /** Ends each client's connection in one of the possible ways. */
    private static void go(int client, Socket socket) throws IOException {
        switch (client % 5) {
            case 0 -> socket.close();
            case 1 -> {
                socket.setSoLinger(true, 0); // a reset
                socket.close();
            }
            case 2 -> {
                socket.getOutputStream()
                        .write(concat(
                                request(4, new Operation.Delete("client-" + client)),
                                bytes(Frames.GOODBYE, 0, body -> {})));
                socket.close();
            }
            case 3 -> {
                socket.getOutputStream().write(bytes(99, 0, body -> {})); // no such frame
                socket.close();
            }
            default -> {
                socket.getOutputStream().write(new byte[] {0, 0, 1, 0, 2, 0, 0}); // half a frame
                socket.close();
            }
        }
    }

    private static byte[] hello() {
        ByteBuf preface = UnpooledByteBufAllocator.DEFAULT.heapBuffer();
        Frames.writePreface(preface);
        byte[] opening = ByteBufUtil.getBytes(preface);
        preface.release();
        return concat(opening, bytes(Frames.HELLO, 0, body -> body.text("").value(Value.empty())));
    }

    private static byte[] request(long id, Operation<?>... operations) {
        return bytes(
                Frames.REQUEST,
                id,
                body -> OperationCodec.writeAll(
                        List.of(operations), body.duration(HOUR).with(RandomOperations.IDS)));
    }

    private static byte[] bytes(int type, long id, Consumer<WireWriter> body) {
        ByteBuf frame = Frames.frame(UnpooledByteBufAllocator.DEFAULT, type, id, body);
        byte[] bytes = ByteBufUtil.getBytes(frame);
        frame.release();
        return bytes;
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}

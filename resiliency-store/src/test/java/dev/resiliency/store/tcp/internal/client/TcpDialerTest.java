package dev.resiliency.store.tcp.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.FakePyTorchServer;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import dev.resiliency.store.tcp.internal.wire.Loop;
import dev.resiliency.store.tcp.internal.wire.Transport;
import io.netty.channel.ChannelException;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class TcpDialerTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void invalidAddressFailsAtOnce() {
        Transport transport = Transport.best();
        Loop loop = transport.newLoop("dialer-test");
        Endpoint endpoint = new Endpoint(new StoreAddress("127.0.0.1", 295_000, "scope"));
        Dialer dialer = new TcpDialer(endpoint, null, null, transport, loop);

        assertThat(dialer.dial(new Dialer.TimeLimits(LONG, LONG, LONG)))
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withCauseInstanceOf(IllegalArgumentException.class)
                .withMessageContaining("295000");
        loop.stop();
    }

    @Test
    void attemptThatFailsIsLoggedInOneLine() throws Exception {
        int port = closedPort();
        Duration once = Duration.ofMillis(1);

        assertThat(logOfDialing(port, once, LONG)).isNotEmpty().allSatisfy(event -> {
            assertThat(event.getFormattedMessage())
                    .matches("Attempt \\d+ to connect to scope at 127\\.0\\.0\\.1:" + port + " failed: .*refused.*");
            assertThat(event.getThrowableProxy()).isNull();
        });
    }

    @Test
    void reasonThatAServerGivesForgesNoLinesOfTheLog() throws Exception {
        try (TcpStoreServer server =
                TcpStoreServer.builder().scope("a\nforged\u001b[2J").start()) {
            assertThat(logOfDialing(server.port(), Duration.ofMillis(300), LONG))
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anySatisfy(line -> assertThat(line).contains("a\\nforged\\u001b[2J"))
                    .noneMatch(line -> line.contains("\n") || line.contains("\u001b"));
        }
    }

    @Test
    void absentServerIsReportedEverMoreRarely() throws Exception {
        int port = closedPort();
        Duration limit = Duration.ofSeconds(2);

        List<ILoggingEvent> log = logOfDialing(port, limit, Duration.ofMillis(1));

        // At 1, 2, 4 ... 1024 ms at most; the pauses between attempts grow as well.
        assertThat(log.stream().filter(event -> event.getLevel() == Level.INFO))
                .hasSizeBetween(2, 11)
                .allSatisfy(event -> assertThat(event.getFormattedMessage())
                        .matches("store at 127.0.0.1:" + port + " has been out of reach for [01] s: Connection refused."
                                + " Has its host started, with the same port\\? Trying for another [12] s.*"));
    }

    /** As when this process has no descriptor left. */
    public static final class NoSocket extends NioSocketChannel {
        static final AtomicInteger ATTEMPTS = new AtomicInteger();

        public NoSocket() {
            if (ATTEMPTS.incrementAndGet() < 3) {
                throw new ChannelException("Too many open files");
            }
        }
    }

    @Test
    void socketForWhichThereIsNoDescriptorIsTriedAgain() throws Exception {
        Transport transport = new Transport(
                NioIoHandler.newFactory(), NioServerSocketChannel.class, NoSocket.class, Map.of(), Map.of());
        Loop loop = transport.newLoop("dialer-test");
        try (TcpStoreServer server = TcpStoreServer.builder().scope("scope").start()) {
            Endpoint endpoint = new Endpoint(new StoreAddress("127.0.0.1", server.port(), "scope"));

            assertThat(new TcpDialer(endpoint, null, null, transport, loop)
                            .dial(new Dialer.TimeLimits(LONG, LONG, LONG)))
                    .succeedsWithin(Duration.ofSeconds(20));
            assertThat(NoSocket.ATTEMPTS).hasValue(3);
        } finally {
            loop.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void serverOfPyTorchIsNamedAsSoonAsAnAttemptHasGotNoAnswer(boolean usesLibUv) throws Exception {
        try (FakePyTorchServer server = FakePyTorchServer.start(usesLibUv)) {
            assertThat(dial(server.port(), LONG, Duration.ofMillis(100)))
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .havingCause()
                    .isExactlyInstanceOf(StoreException.class)
                    .withMessage("a server of PyTorch's TCPStore, which keeps no sessions, answers at 127.0.0.1:"
                            + server.port() + ": start a store server of this library instead, with 'resiliency store'"
                            + " or resiliency-store-server.jar; with --pytorch it serves PyTorch's clients as well");
        }
    }

    @Test
    void serverOfPyTorchIsNamedEvenIfThereWasTimeForOneAttemptOnly() throws Exception {
        try (FakePyTorchServer server = FakePyTorchServer.start(true)) {
            assertThat(dial(server.port(), Duration.ofMillis(100), LONG))
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withMessageContaining("a server of PyTorch's TCPStore");
        }
    }

    @Test
    void serverThatNeverAnswersIsOutOfReach() throws Exception {
        try (ServerSocket suspended = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertThat(dial(suspended.getLocalPort(), Duration.ofMillis(200), Duration.ofMillis(50)))
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(StoreLostException.class)
                    .withMessageContaining("last error: no answer within");
        }
    }

    private static CompletableFuture<ClientConnection> dial(int port, Duration total, Duration attempt) {
        Transport transport = Transport.best();
        Loop loop = transport.newLoop("dialer-test");
        Endpoint endpoint = new Endpoint(new StoreAddress("127.0.0.1", port, "scope"));
        return new TcpDialer(endpoint, null, null, transport, loop)
                .dial(new Dialer.TimeLimits(total, attempt, total))
                .whenComplete((connected, failed) -> loop.stop());
    }

    private static int closedPort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /** Dials a port at which there is no store of the scope for {@code limit}, and returns what is logged. */
    private static List<ILoggingEvent> logOfDialing(int port, Duration limit, Duration firstReport) {
        Transport transport = Transport.best();
        Loop loop = transport.newLoop("dialer-test");
        Endpoint endpoint = new Endpoint(new StoreAddress("127.0.0.1", port, "scope"));
        Logger logger = (Logger) LoggerFactory.getLogger(TcpDialer.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.DEBUG);
        logger.setAdditive(false);
        try {
            assertThat(new TcpDialer(endpoint, null, null, transport, loop, firstReport)
                            .dial(new Dialer.TimeLimits(limit, LONG, limit)))
                    .failsWithin(Duration.ofSeconds(20));
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
            logger.setAdditive(true);
            loop.stop();
        }
        return log.list;
    }
}

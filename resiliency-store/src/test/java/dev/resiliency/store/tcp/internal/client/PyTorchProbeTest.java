package dev.resiliency.store.tcp.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.resiliency.store.tcp.FakePyTorchServer;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.store.tcp.internal.wire.Loop;
import dev.resiliency.store.tcp.internal.wire.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Timeout(30)
class PyTorchProbeTest {
    private final Transport transport = Transport.best();
    private final Loop loop = transport.newLoop("probe-test");

    @AfterEach
    void stopLoop() {
        loop.stop();
    }

    private boolean isPyTorchs(int port) throws Exception {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return PyTorchProbe.ask(server, transport, loop).get(20, TimeUnit.SECONDS);
    }

    @Test
    void serverOfPyTorchIsRecognized() throws Exception {
        try (FakePyTorchServer server = FakePyTorchServer.start(true)) {
            assertThat(isPyTorchs(server.port())).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void serverOfOursIsNotTakenForOneEvenIfItServesPyTorchsClients(boolean speaksPyTorch) throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.resiliency.store.tcp");
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        try (TcpStoreServer server =
                TcpStoreServer.builder().pytorch(speaksPyTorch).start()) {
            assertThat(isPyTorchs(server.port())).isFalse();
        } finally {
            logger.detachAppender(logged);
        }
        assertThat(logged.list).as("nobody strange has come").noneMatch(event -> event.getLevel() == Level.WARN);
    }

    @Test
    void neitherIsAServerThatNeverAnswersNorOneThatIsGone() throws Exception {
        int port;
        try (ServerSocket suspended = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = suspended.getLocalPort();
            assertThat(isPyTorchs(port)).isFalse();
        }
        assertThat(isPyTorchs(port)).isFalse();
    }
}

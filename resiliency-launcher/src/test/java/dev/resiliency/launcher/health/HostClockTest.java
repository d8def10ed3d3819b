package dev.resiliency.launcher.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.health.Finding.Severity;
import dev.resiliency.launcher.health.HostClock.Skew;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HostClockTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static Finding judge(long aheadMillis, long uncertaintyMillis) {
        return new ClockCheck("unused", 1, Duration.ofSeconds(1), LIMIT)
                .judge(new Skew(Duration.ofMillis(aheadMillis), Duration.ofMillis(uncertaintyMillis)));
    }

    @Test
    void skewIsThatOfTheMiddleOfTheExchange() {
        assertThat(HostClock.skew(1000, 5100, 1200))
                .isEqualTo(new Skew(Duration.ofMillis(-4000), Duration.ofMillis(100)));
    }

    @Test
    void slowAnswerIsNotHeldAgainstTheNode() {
        assertThat(judge(1500, 600).severity()).isEqualTo(Severity.OK);
        assertThat(judge(-1500, 600).severity()).isEqualTo(Severity.OK);
        assertThat(judge(1500, 400).text()).startsWith("it is 1s500ms ahead of that of the store's host, and 1s are");
        assertThat(judge(-1500, 400).text()).startsWith("it is 1s500ms behind that of the store's host");
        assertThat(judge(-1500, 400).severity()).isEqualTo(Severity.FAILURE);
    }

    @Test
    void hostOfTheStoreAnswers() throws Exception {
        try (TcpStoreServer server =
                        TcpStoreServer.builder().host("127.0.0.1").port(0).start();
                TcpStore host =
                        TcpStore.builder().host("127.0.0.1").port(server.port()).connect()) {
            Finding alone =
                    new ClockCheck("127.0.0.1", server.port(), Duration.ofMinutes(1), Duration.ofMillis(300)).run();
            HostClock.serve(host);
            Finding first = new ClockCheck("127.0.0.1", server.port(), Duration.ofMinutes(1), LIMIT).run();
            Finding second = new ClockCheck("127.0.0.1", server.port(), Duration.ofMinutes(1), LIMIT).run();

            assertThat(alone.text()).contains("nobody answers");
            assertThat(first.severity()).as(first.text()).isEqualTo(Severity.OK);
            assertThat(second.severity()).as(second.text()).isEqualTo(Severity.OK);
        }
    }
}

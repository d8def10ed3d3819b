package dev.resiliency.store.tcp.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import dev.resiliency.store.tcp.internal.wire.Loop;
import dev.resiliency.store.tcp.internal.wire.Transport;
import java.time.Duration;
import org.junit.jupiter.api.Test;

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
}

package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TransportTest {

    private static int seconds(Map<ChannelOption<Integer>, Integer> patience) {
        int probes = Objects.requireNonNull(patience.get(EpollChannelOption.TCP_KEEPCNT));
        int pause = Objects.requireNonNull(patience.get(EpollChannelOption.TCP_KEEPINTVL));
        return Objects.requireNonNull(patience.get(EpollChannelOption.TCP_KEEPIDLE)) + probes * pause;
    }

    @Test
    void serversKernelGivesUpBeforeTheClients() {
        assumeTrue(Epoll.isAvailable());
        Transport transport = Transport.best();
        int atServer = seconds(transport.serverPatience());
        int atClient = seconds(transport.clientPatience());

        // Each counts from the last packet of the other, and these may be a probe and its answer apart.
        assertThat(atClient).isGreaterThan(atServer + 5);
        assertThat(transport.serverPatience()).containsEntry(EpollChannelOption.TCP_USER_TIMEOUT, 1000 * atServer);
        assertThat(transport.clientPatience()).containsEntry(EpollChannelOption.TCP_USER_TIMEOUT, 1000 * atClient);
    }
}

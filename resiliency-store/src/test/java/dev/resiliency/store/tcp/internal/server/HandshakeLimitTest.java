package dev.resiliency.store.tcp.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.internal.wire.Credentials;
import dev.resiliency.store.tcp.internal.wire.Frames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that have not completed the handshake. */
class HandshakeLimitTest {
    private static final int LIMIT = 6;

    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private final ServerState server = new ServerState(
            loop.eventLoop(),
            new ServerSettings(
                    "scope", Credentials.NONE, false, Limits.of(Map.of(StoreLimit.CONNECTIONS, (long) LIMIT))),
            Descriptors.of(1 << 20));

    @AfterEach
    void release() {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    private EmbeddedChannel connect() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channels.add(channel);
        ServerConnection.install(server, null, channel);
        return channel;
    }

    private void sayHello(EmbeddedChannel channel) {
        ByteBuf preface = ByteBufAllocator.DEFAULT.buffer();
        Frames.writePreface(preface);
        channel.writeInbound(
                preface,
                Frames.frame(
                        ByteBufAllocator.DEFAULT,
                        Frames.HELLO,
                        0,
                        body -> body.text("scope").value(Value.empty())));
        loop.runPendingTasks();
    }

    @Test
    void takeHalfOfAllAtMostAndTheOldestGoesFirst() {
        EmbeddedChannel first = connect();
        EmbeddedChannel second = connect();
        EmbeddedChannel third = connect();
        assertThat(channels).allMatch(EmbeddedChannel::isOpen);

        EmbeddedChannel fourth = connect();

        assertThat(first.isOpen()).isFalse();
        assertThat(List.of(second, third, fourth)).allMatch(EmbeddedChannel::isOpen);
        assertThat(server.statistics().connections()).isEqualTo(3);
    }

    @Test
    void neverKeepOutNorEndThoseThatCompleteIt() {
        for (int i = 0; i < LIMIT; i++) {
            for (int stranger = 0; stranger < 100; stranger++) {
                connect();
            }
            EmbeddedChannel rank = connect();
            sayHello(rank);
            assertThat(rank.isOpen()).isTrue();
        }
        assertThat(channels.stream().filter(EmbeddedChannel::isOpen)).hasSize(LIMIT);

        assertThat(connect().isOpen()).isFalse();
        assertThat(channels.stream().filter(EmbeddedChannel::isOpen)).hasSize(LIMIT);
    }
}

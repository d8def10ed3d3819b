package dev.resiliency.store.tcp.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.wire.Credentials;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.OperationCodec;
import dev.resiliency.store.tcp.internal.wire.RandomOperations;
import dev.resiliency.store.tcp.internal.wire.WireLimits;
import dev.resiliency.store.tcp.internal.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AbandonedSessionsTest {
    private final EmbeddedChannel survivor = new EmbeddedChannel();
    private final List<EmbeddedChannel> channels = new ArrayList<>(List.of(survivor));
    private final ServerState server;

    /** Starts a server whose event loop is that of the survivor's channel, and stands still. */
    AbandonedSessionsTest() {
        survivor.freezeTime();
        server = new ServerState(
                survivor.eventLoop(),
                new ServerSettings("scope", Credentials.NONE, false, Limits.defaults()),
                Descriptors.of(1 << 20));
        connect(survivor, 0);
    }

    @AfterEach
    void release() {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    /** Connects a client that watches the set of the dead, and joins it when it dies. */
    private void connect(EmbeddedChannel channel, int index) {
        ServerConnection.install(server, null, channel);
        ByteBuf preface = Unpooled.buffer();
        Frames.writePreface(preface);
        channel.writeInbound(
                preface,
                frame(Frames.HELLO, body -> body.text("scope").value(Value.empty())),
                frame(
                        Frames.REQUEST,
                        body -> OperationCodec.writeAll(
                                List.of(
                                        new Operation.Watch("dead", new RandomOperations.NumberedListener(index)),
                                        new Operation.LastWill(
                                                List.of(new Operation.AddToSet("dead", IndexSet.of(index))))),
                                body.duration(Duration.ofSeconds(1)).with(RandomOperations.IDS))));
        survivor.runPendingTasks();
        forgetOutput(channel);
    }

    private static ByteBuf frame(int type, Consumer<WireWriter> body) {
        return Frames.frame(ByteBufAllocator.DEFAULT, WireLimits.ofClient(1 << 20), type, 1, body);
    }

    private static int forgetOutput(EmbeddedChannel channel) {
        int frames = 0;
        for (ByteBuf frame = channel.readOutbound(); frame != null; frame = channel.readOutbound()) {
            frame.release();
            frames++;
        }
        return frames;
    }

    private List<EmbeddedChannel> connect(int count) {
        List<EmbeddedChannel> clients = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            EmbeddedChannel client = new EmbeddedChannel();
            channels.add(client);
            clients.add(client);
            connect(client, i);
        }
        return clients;
    }

    @Test
    void thoseWhoDieTogetherAreNotToldOfEachOther() {
        List<EmbeddedChannel> dying = connect(3);

        dying.forEach(client -> client.close().syncUninterruptibly());
        survivor.runPendingTasks();

        assertThat(forgetOutput(survivor)).isEqualTo(3);
        assertThat(dying)
                .allSatisfy(channel -> assertThat(forgetOutput(channel)).isZero());
    }

    @Test
    void serverThatHasStoodStillForgetsAllThatItHas() throws Exception {
        server.forgetAfter(Duration.ofSeconds(8));
        List<EmbeddedChannel> others = connect(2);
        survivor.advanceTimeBy(7, TimeUnit.SECONDS);
        survivor.runScheduledPendingTasks();
        assertThat(survivor.isOpen()).isTrue();

        survivor.advanceTimeBy(9, TimeUnit.SECONDS);
        others.get(0).close().syncUninterruptibly(); // it has gone on elsewhere: nobody is to learn it here
        survivor.runScheduledPendingTasks();
        assertThat(survivor.isOpen()).isFalse();
        assertThat(others.get(1).isOpen()).isFalse();
        assertThat(server.statistics().holdings().sessions()).isZero();

        EmbeddedChannel late = connect(1).get(0);
        assertThat(late.isOpen()).isTrue();
        assertThat(server.statistics().holdings().sessions()).isOne();
        survivor.advanceTimeBy(1, TimeUnit.HOURS);
        survivor.runScheduledPendingTasks();
        assertThat(late.isOpen()).isFalse();
    }

    @Test
    void survivorsAreServedBetweenThePartsOfManyLastWills() {
        List<EmbeddedChannel> dying = connect(AbandonedSessions.PART + 1);

        dying.forEach(client -> client.close().syncUninterruptibly());
        survivor.runPendingTasks();
        assertThat(forgetOutput(survivor)).isEqualTo(AbandonedSessions.PART);

        survivor.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        survivor.runScheduledPendingTasks();
        survivor.runPendingTasks();
        assertThat(forgetOutput(survivor)).isEqualTo(1);
    }
}

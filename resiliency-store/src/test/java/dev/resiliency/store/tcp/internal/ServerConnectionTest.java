package dev.resiliency.store.tcp.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import dev.resiliency.store.Operation;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.KeyspaceSession;
import dev.resiliency.store.internal.Outlet;
import dev.resiliency.store.tcp.internal.RandomOperations.NumberedListener;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerConnectionTest {
    private static final ByteBufAllocator ALLOCATOR = ByteBufAllocator.DEFAULT;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ServerState server = new ServerState(channel.eventLoop(), "scope", null, false);

    ServerConnectionTest() {
        channel.freezeTime();
        ServerConnection.install(server, channel);
    }

    @AfterEach
    void release() {
        channel.finishAndReleaseAll();
    }

    private void receive(ByteBuf... parts) {
        channel.writeInbound((Object[]) parts);
        channel.runPendingTasks();
    }

    private static ByteBuf preface() {
        ByteBuf preface = Unpooled.buffer();
        PrefaceDecoder.write(preface);
        return preface;
    }

    private static ByteBuf hello(String scope) {
        return Frames.frame(ALLOCATOR, Frames.HELLO, 0, body -> body.text(scope).value(Value.empty()));
    }

    private static ByteBuf request(long id, Operation<?>... operations) {
        return Frames.frame(
                ALLOCATOR,
                Frames.REQUEST,
                id,
                body -> OperationCodec.writeAll(
                        List.of(operations),
                        body.duration(Duration.ofSeconds(1)).with(RandomOperations.IDS)));
    }

    /** The next frame that the server wrote, from its type on. */
    private String next() {
        ByteBuf frame = channel.readOutbound();
        String hex = ByteBufUtil.hexDump(frame.skipBytes(Integer.BYTES));
        frame.release();
        return hex;
    }

    @Test
    void messagesMayBeCutAnywhere() {
        ByteBuf all = Unpooled.wrappedBuffer(
                preface(),
                hello("scope"),
                request(1, new Operation.Set("key", Value.of("v"))),
                request(2, new Operation.Get("key")));
        while (all.isReadable()) {
            receive(all.readBytes(1));
        }
        all.release();

        assertThat(next()).startsWith("10" + "0000000000000000" + "0001");
        assertThat(next()).isEqualTo("12" + "0000000000000001" + "0100");
        assertThat(next()).isEqualTo("12" + "0000000000000002" + "01030176");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void whoSaysNothingIsClosedAfterTenSeconds() {
        receive(preface());
        channel.advanceTimeBy(9, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.isOpen()).isTrue();

        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void whoHasSaidHelloMayBeSilent() {
        receive(preface(), hello("scope"));
        channel.advanceTimeBy(1, TimeUnit.HOURS);
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void anotherProtocolIsClosedAtItsFirstByte() {
        receive(Unpooled.wrappedBuffer(new byte[] {0}));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aRequestBeforeTheHelloIsNotCarriedOut() {
        receive(preface(), request(1, new Operation.Set("key", Value.of("v"))), hello("scope"));

        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.<ByteBuf>readOutbound()).isNull();
    }

    @Test
    void anotherScopeIsRefused() {
        receive(preface(), hello("other"));

        assertThat(next()).startsWith("11" + "0000000000000000" + "02");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void anotherVersionIsRefused() {
        receive(Unpooled.buffer().writeInt(Frames.MAGIC).writeShort(2).writeShort(3), hello("scope"));

        assertThat(next()).startsWith("11" + "0000000000000000" + "01");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void anOverlongFrameIsClosed() {
        receive(preface(), hello("scope"), Unpooled.buffer().writeInt(Frames.MAX_FRAME_BYTES));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void beforeTheHandshakeFramesAreSmall() {
        receive(preface(), Unpooled.buffer().writeInt(Frames.MAX_HANDSHAKE_BYTES + 1));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aFrameTooShortIsClosed() {
        receive(preface(), hello("scope"), Unpooled.buffer().writeInt(1).writeByte(2));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void whatFollowsGarbageIsNotCarriedOut() {
        receive(
                preface(),
                hello("scope"),
                Frames.frame(ALLOCATOR, 99, 0),
                request(1, new Operation.Set("key", Value.of("v"))));

        assertThat(next()).startsWith("10");
        assertThat(channel.<ByteBuf>readOutbound()).isNull();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void theIdOfAWaitingRequestMayNotBeUsedTwice() {
        receive(preface(), hello("scope"), request(1, new Operation.Get("a")), request(1, new Operation.Get("a")));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void anAnswerOverTheLimitOfAFrameIsAFailure() {
        byte[] bytes = new byte[8 << 20];
        receive(preface(), hello("scope"));
        receive(request(1, new Operation.Set("key", Value.of(bytes))));
        receive(request(2, new Operation.MultiGet(List.of("key", "key"))));

        assertThat(next()).startsWith("10");
        assertThat(next()).isEqualTo("12" + "0000000000000001" + "0100");
        assertThat(next()).startsWith("13" + "0000000000000002" + "01");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void whoDoesNotReadItsChangesIsCutOff() {
        receive(preface(), hello("scope"), request(1, new Operation.Watch("key", new NumberedListener(1))));
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void flush(ChannelHandlerContext context) {
                // The client's window is closed.
            }
        });
        KeyspaceSession other = server.keyspace().open(mock(Outlet.class));
        Operation.Set set = new Operation.Set("key", Value.of(new byte[8 << 20]));

        for (int i = 0; i < 9; i++) {
            assertThat(channel.isOpen()).isTrue();
            other.submit(KeyspaceSession.ONE_WAY, List.of(set), Duration.ZERO);
        }

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aGoodbyeIsAnsweredByClosing() {
        receive(preface(), hello("scope"), Frames.frame(ALLOCATOR, Frames.GOODBYE, 0));

        assertThat(channel.isOpen()).isFalse();
    }
}

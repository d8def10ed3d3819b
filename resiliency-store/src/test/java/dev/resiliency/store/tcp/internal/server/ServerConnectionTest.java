package dev.resiliency.store.tcp.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import dev.resiliency.store.Value;
import dev.resiliency.store.internal.KeyspaceSession;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.internal.SessionOutput;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.internal.wire.Credentials;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.OperationCodec;
import dev.resiliency.store.tcp.internal.wire.RandomOperations;
import dev.resiliency.store.tcp.internal.wire.RandomOperations.NumberedListener;
import dev.resiliency.store.tcp.internal.wire.WireLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServerConnectionTest {
    private static final ByteBufAllocator ALLOCATOR = ByteBufAllocator.DEFAULT;

    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private EmbeddedChannel channel;
    private ServerState server;

    /** Connects a client to a new, empty server. */
    @BeforeEach
    void startAnew() {
        startAnew("scope", Limits.defaults());
    }

    private void startAnew(Limits limits) {
        startAnew("scope", limits);
    }

    private void startAnew(String scope, Limits limits) {
        channel = new EmbeddedChannel();
        channel.freezeTime();
        channels.add(channel);
        server = new ServerState(
                channel.eventLoop(),
                new ServerSettings(scope, Credentials.NONE, false, limits),
                Descriptors.of(1 << 20));
        ServerConnection.install(server, null, channel);
    }

    @AfterEach
    void release() {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    private void receive(ByteBuf... parts) {
        channel.writeInbound((Object[]) parts);
        channel.runPendingTasks();
    }

    private static ByteBuf preface() {
        ByteBuf preface = Unpooled.buffer();
        Frames.writePreface(preface);
        return preface;
    }

    private static ByteBuf hello(String scope) {
        return Frames.frame(ALLOCATOR, Frames.HELLO, 0, body -> body.text(scope).value(Value.empty()));
    }

    private static ByteBuf request(long id, Operation<?>... operations) {
        return Frames.frame(
                ALLOCATOR,
                WireLimits.ofClient(1 << 30),
                Frames.REQUEST,
                id,
                body -> OperationCodec.writeAll(
                        List.of(operations),
                        body.duration(Duration.ofSeconds(1)).with(RandomOperations.IDS)));
    }

    /** Returns the next frame that the server wrote, from its type on. */
    private String next() {
        ByteBuf frame = channel.readOutbound();
        String hex = ByteBufUtil.hexDump(ByteBufUtil.getBytes(frame.skipBytes(Integer.BYTES)));
        frame.release();
        return hex;
    }

    @Test
    void messagesMayBeSplitAnywhere() {
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
    void silentClientIsDisconnectedAfterTenSeconds() {
        receive(preface());
        channel.advanceTimeBy(9, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.isOpen()).isTrue();

        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void clientMayBeSilentAfterItsHello() {
        receive(preface(), hello("scope"));
        channel.advanceTimeBy(1, TimeUnit.HOURS);
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void closedConnectionIsNotReportedAsNotReading() {
        ServerConnection connection = channel.pipeline().get(ServerConnection.class);
        receive(preface(), hello("scope"));

        channel.close().syncUninterruptibly();

        assertThat(connection.isBehind()).isFalse();
    }

    /** As after an OutOfMemoryError in Netty. */
    @Test
    void sessionEndsWithItsConnectionEvenIfWhatHasArrivedIsReleasedAlready() {
        receive(preface(), hello("scope"));
        ByteBuf part = Unpooled.buffer().writeByte(0);
        receive(part);
        part.release();

        channel.close().syncUninterruptibly();

        assertThat(server.sessions().isEmpty()).isTrue();
        assertThat(channel.<ByteBuf>readInbound()).isSameAs(part); // Netty passes on what is left
    }

    @Test
    void otherProtocolIsDisconnectedAtItsFirstByte() {
        receive(Unpooled.wrappedBuffer(new byte[] {0}));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void requestBeforeTheHelloDoesNotRun() {
        receive(preface(), request(1, new Operation.Set("key", Value.of("v"))), hello("scope"));

        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.<ByteBuf>readOutbound()).isNull();
    }

    @Test
    void otherScopeIsRejected() {
        receive(preface(), hello("other"));

        assertThat(next()).startsWith("11" + "0000000000000000" + "02");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void newerClientAgreesOnTheServersVersion() {
        receive(Unpooled.buffer().writeInt(Frames.MAGIC).writeShort(1).writeShort(7), hello("scope"));

        assertThat(next()).startsWith("10" + "0000000000000000" + "0001");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void otherVersionIsRejected() {
        receive(Unpooled.buffer().writeInt(Frames.MAGIC).writeShort(2).writeShort(3), hello("scope"));

        assertThat(next()).startsWith("11" + "0000000000000000" + "01");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void overlongFrameClosesTheConnection() {
        receive(preface(), hello("scope"), Unpooled.buffer().writeInt(WireLimits.DEFAULTS.frameBytes() + 1));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void framesBeforeTheHandshakeMustBeSmall() {
        receive(preface(), Unpooled.buffer().writeInt(Frames.MAX_HANDSHAKE_BYTES + 1));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void tooShortFrameClosesTheConnection() {
        receive(preface(), hello("scope"), Unpooled.buffer().writeInt(1).writeByte(2));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void requestsAfterGarbageDoNotRun() {
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
    void idOfAWaitingRequestMayNotBeUsedTwice() {
        receive(preface(), hello("scope"), request(1, new Operation.Get("a")), request(1, new Operation.Get("a")));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void answerOverTheFrameLimitIsAFailure() {
        byte[] bytes = new byte[8 << 20];
        receive(preface(), hello("scope"));
        receive(request(1, new Operation.Set("key", Value.of(bytes))));
        receive(request(2, new Operation.MultiGet(List.of("key", "key"))));

        assertThat(next()).startsWith("10");
        assertThat(next()).isEqualTo("12" + "0000000000000001" + "0100");
        assertThat(next()).startsWith("13" + "0000000000000002" + "01");
        assertThat(channel.isOpen()).isTrue();
    }

    // --- clients that do not read

    private void stopReading() {
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void flush(ChannelHandlerContext context) {
                // The client's window is closed.
            }
        });
    }

    private void readAgain() {
        channel.pipeline().removeFirst();
        channel.flush();
        for (int turn = 0; turn < 10; turn++) {
            channel.runPendingTasks();
            channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        }
        channel.runPendingTasks();
    }

    /** Returns the beginning of the next frame, which has at least this many bytes, from its type on. */
    private String nextOfSeveralPieces(int bytes) {
        String first = next();
        for (int read = first.length() / 2; read < bytes; ) {
            ByteBuf piece = channel.readOutbound();
            read += piece.readableBytes();
            piece.release();
        }
        return first;
    }

    private void setByAnother(String key, int bytes) {
        KeyspaceSession other = server.keyspace().open(mock(SessionOutput.class));
        Operation.Set set = new Operation.Set(key, Value.of(new byte[bytes]));
        other.submit(KeyspaceSession.ONE_WAY, List.of(set), Duration.ZERO);
        channel.runPendingTasks();
    }

    @Test
    void clientThatDoesNotReadItsChangesIsDisconnected() {
        receive(preface(), hello("scope"), request(1, new Operation.Watch("key", new NumberedListener(1))));
        stopReading();

        setByAnother("key", 8 << 20); // one change may be of any size
        channel.advanceTimeBy(4, TimeUnit.SECONDS);
        setByAnother("key", 1); // and several may come at once
        assertThat(channel.isOpen()).isTrue();
        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        setByAnother("key", 1);

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void clientThatDoesNotReadGetsNoFurtherAnswer() {
        receive(preface(), hello("scope"), request(1, new Operation.Get("key")), request(2, new Operation.Get("more")));
        stopReading();

        setByAnother("key", 8 << 20);
        channel.advanceTimeBy(5, TimeUnit.SECONDS);
        setByAnother("more", 1);

        readAgain();
        assertThat(next()).startsWith("10");
        assertThat(nextOfSeveralPieces(8 << 20)).startsWith("12" + "0000000000000001");
        assertThat(new String(ByteBufUtil.decodeHexDump(next()), StandardCharsets.UTF_8))
                .contains("over the limit of 4194304 (max-unwritten-bytes)");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void clientThatDoesNotReadForThirtySecondsIsDisconnected() {
        receive(preface(), hello("scope"), request(1, new Operation.Get("key")));
        stopReading();
        setByAnother("key", 8 << 20);
        receive(request(2, new Operation.Set("other", Value.empty())));
        assertThat(server.keyspace().holdings().keys()).isEqualTo(1);

        channel.advanceTimeBy(29, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.isOpen()).isTrue();
        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void clientThatReadsSlowlyIsNotDisconnected() {
        receive(preface(), hello("scope"), request(1, new Operation.Get("key")));
        stopReading();
        setByAnother("key", 8 << 20);

        for (int piece = 0; piece < 10; piece++) {
            channel.advanceTimeBy(29, TimeUnit.SECONDS);
            channel.runPendingTasks();
            channel.unsafe().flush(); // what the channel has
        }

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void clientWhoseFramesTheServerDoesNotReadKeepsItsLease() {
        receive(preface(), hello("scope"), request(1, new Operation.Lease(Duration.ofSeconds(3))));
        receive(request(2, new Operation.Get("key")));
        stopReading();
        setByAnother("key", 8 << 20);

        channel.advanceTimeBy(20, TimeUnit.SECONDS);
        channel.runPendingTasks();

        assertThat(server.sessions().isEmpty()).isFalse();
    }

    @Test
    void clientThatDoesNotReadIsNotRead() {
        receive(preface(), hello("scope"), request(1, new Operation.Get("key")));
        stopReading();
        setByAnother("key", 8 << 20);
        int[] reads = {0};
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void read(ChannelHandlerContext context) {
                reads[0]++;
            }
        });

        receive(request(2, new Operation.Set("other", Value.empty())));

        assertThat(reads[0]).isZero();
    }

    @Test
    void clientThatReadsAgainIsReadAgain() {
        receive(preface(), hello("scope"), request(1, new Operation.Get("key")));
        stopReading();
        setByAnother("key", 8 << 20);
        receive(request(2, new Operation.Set("other", Value.empty())));

        readAgain();

        assertThat(server.keyspace().holdings().keys()).isEqualTo(2);
        channel.advanceTimeBy(1, TimeUnit.HOURS);
        channel.runScheduledPendingTasks();
        assertThat(channel.isOpen()).isTrue();
    }

    // --- slow clients

    @Test
    void incompleteFrameClosesTheConnectionAfterThirtySeconds() {
        ByteBuf frame = request(1, new Operation.Get("key"));
        receive(preface(), hello("scope"), frame.readRetainedSlice(10));

        channel.advanceTimeBy(29, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        receive(frame.readRetainedSlice(1));
        assertThat(channel.isOpen()).isTrue();
        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isFalse();
        frame.release();
    }

    @Test
    void everyFrameHasItsOwnLimit() {
        receive(preface(), hello("scope"));
        for (int i = 1; i <= 10; i++) {
            ByteBuf frame = request(i, new Operation.Check(List.of()));
            receive(frame.readRetainedSlice(10));
            channel.advanceTimeBy(29, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
            receive(frame);
        }

        assertThat(channel.isOpen()).isTrue();
    }

    // --- changes that cannot be delivered

    @Test
    void undeliverableChangeDisconnectsItsClientAndReachesTheOthers() {
        startAnew(Limits.of(Map.of(StoreLimit.FRAME_BYTES, 1000L)));
        receive(
                preface(),
                hello("scope"),
                request(1, new Operation.LastWill(List.of(new Operation.Set("will", Value.empty())))),
                request(2, new Operation.Watch("key", new NumberedListener(1))));
        SessionOutput behind = mock(SessionOutput.class);
        KeyspaceSession another = server.keyspace().open(behind);
        another.submit(1, List.of(new Operation.Watch("key", new NumberedListener(1))), Duration.ZERO);

        Operation.Append half = new Operation.Append("key", Value.of(new byte[600]));
        receive(request(3, half));
        receive(request(4, half, new Operation.Set("written behind", Value.empty())));
        channel.runScheduledPendingTasks();

        verify(behind, times(2)).tell(any(), any());
        assertThat(channel.isOpen()).isFalse();
        another.submit(2, List.of(new Operation.Keys("")), Duration.ZERO);
        verify(behind).reply(2, List.of(List.of("key", "will", "written behind")));
    }

    @Test
    void undeliverableFailureDisconnectsItsClient() {
        startAnew(Limits.of(Map.of(StoreLimit.FRAME_BYTES, 80L)));
        receive(preface(), hello("scope"), request(1, new Operation.LastWill(List.of(new Operation.Add("will", 1)))));
        receive(request(2, new Operation.Set("key", Value.of("x".repeat(30))), new Operation.Add("key", 1)));
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isFalse();
        assertThat(server.keyspace().holdings().keys()).isEqualTo(2);
    }

    // --- limits

    @Test
    void bytesThatAreNoTextCloseTheConnection() {
        Value noText = Value.of(new byte[] {'k', (byte) 0xFF}); // on the wire, a text is written like a value
        startAnew("k\uFFFD", Limits.defaults());
        receive(
                preface(),
                Frames.frame(
                        ALLOCATOR, Frames.HELLO, 0, body -> body.value(noText).value(Value.empty())));
        assertThat(channel.isOpen()).isFalse();

        startAnew();
        receive(preface(), hello("scope"), request(1, new Operation.Set("k\uFFFD", Value.empty())));
        next();
        assertThat(next()).isEqualTo("12" + "0000000000000001" + "0100");
        receive(Frames.frame(
                ALLOCATOR,
                Frames.REQUEST,
                2,
                body -> body.duration(Duration.ofSeconds(1))
                        .varint(1)
                        .byteOf(9) // Delete
                        .value(noText)));

        assertThat(channel.isOpen()).isFalse();
        assertThat(server.keyspace().holdings().keys()).isEqualTo(1);
    }

    @Test
    void eachEntryOfARequestThatWaitsIsCounted() {
        receive(
                preface(),
                hello("scope"),
                request(
                        1,
                        new Operation.Await(IntStream.range(0, 1_000)
                                .mapToObj(key -> "k" + key)
                                .toList())));

        assertThat(server.keyspace().holdings().bytes()).isBetween(1_000 * 64L, 1_000 * 80L);
    }

    @Test
    void requestWithTooManyEntriesIsRejected() {
        List<String> keys = Collections.nCopies((128 << 10) - 1, "");
        receive(preface(), hello("scope"), request(1, new Operation.Check(keys)));
        receive(request(2, new Operation.Check(keys), new Operation.Check(List.of())));

        assertThat(next()).startsWith("10");
        assertThat(next()).startsWith("12" + "0000000000000001");
        assertThat(new String(ByteBufUtil.decodeHexDump(next()), StandardCharsets.UTF_8))
                .contains("a request with lists of 131073 entries is over the limit of 131072 (max-list-entries)");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void goodbyeIsAnsweredByClosing() {
        receive(preface(), hello("scope"), Frames.frame(ALLOCATOR, Frames.GOODBYE, 0));

        assertThat(channel.isOpen()).isFalse();
    }
}

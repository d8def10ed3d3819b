package dev.resiliency.store.tcp.internal.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.BackgroundLog;
import dev.resiliency.store.internal.KeyspaceSession;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.internal.SessionOutput;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.internal.pytorch.PyTorchMessage;
import dev.resiliency.store.tcp.internal.pytorch.PyTorchOperation;
import dev.resiliency.store.tcp.internal.wire.Credentials;
import dev.resiliency.store.tcp.internal.wire.Frames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.ArgumentCaptor;
import org.mockito.Mockito;
import org.slf4j.LoggerFactory;

class PyTorchConnectionTest {
    private static final String VALIDATE = "00cef7853c";
    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private ServerState server;
    private EmbeddedChannel channel;

    /** Connects a client to a new, empty server. */
    @BeforeEach
    void startAnew() {
        startAnew(Map.of());
    }

    private void startAnew(Map<StoreLimit, Long> limits) {
        channel = new EmbeddedChannel();
        channel.freezeTime();
        channels.add(channel);
        server = new ServerState(
                channel.eventLoop(),
                new ServerSettings("scope", Credentials.NONE, true, Limits.of(limits)),
                Descriptors.of(1 << 20));
        ServerConnection.install(server, null, channel);
    }

    /** Connects another client to the same server. */
    private EmbeddedChannel connect() {
        EmbeddedChannel another = new EmbeddedChannel();
        another.freezeTime();
        channels.add(another);
        ServerConnection.install(server, null, another);
        send(another, VALIDATE);
        return another;
    }

    @AfterEach
    void release() {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    private void send(EmbeddedChannel from, String hex) {
        from.writeInbound(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex)));
        channel.runPendingTasks(); // the server flushes on its own loop
    }

    private void send(EmbeddedChannel from, PyTorchMessage... messages) {
        ByteBuf out = Unpooled.buffer();
        for (PyTorchMessage message : messages) {
            message.write(out);
        }
        String hex = ByteBufUtil.hexDump(out);
        out.release();
        send(from, hex);
    }

    /** Returns everything that the server has written since the last call. */
    private static String received(EmbeddedChannel by) {
        StringBuilder hex = new StringBuilder();
        for (ByteBuf out = by.readOutbound(); out != null; out = by.readOutbound()) {
            hex.append(ByteBufUtil.hexDump(out));
            out.release();
        }
        return hex.toString();
    }

    private static PyTorchMessage message(PyTorchOperation operation, Object... arguments) {
        return PyTorchMessage.of(operation, arguments);
    }

    /** Opens a session of a client that speaks our own protocol, with this output. */
    private KeyspaceSession nativeClient(SessionOutput output) {
        return server.keyspace().open(output);
    }

    // --- captured conversations of PyTorch's own client and server

    private static final String CAPTURE = "/dev/resiliency/store/tcp/internal/pytorch/pytorch-2.10.txt";

    private record Step(String name, String requests, String answers) {}

    private static List<Step> captured() throws IOException {
        try (InputStream in = Objects.requireNonNull(PyTorchConnectionTest.class.getResourceAsStream(CAPTURE))) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .map(line -> line.split(" \\| ?", -1))
                    .map(parts -> new Step(parts[0], parts[1].strip(), parts.length > 2 ? parts[2] : ""))
                    .toList();
        }
    }

    /** Returns the requests with the nonce that a capture omits. */
    private static String requests(Step step) {
        return step.name().equals("connect") ? step.requests() + "01020304" : step.requests();
    }

    private static String answers(Step step) {
        return step.name().equals("connect") ? "01020304" : step.answers();
    }

    @Test
    void serverAnswersLikePyTorchsServer() throws IOException {
        for (Step step : captured()) {
            send(channel, requests(step));
            assertThat(received(channel)).as(step.name()).isEqualTo(answers(step));
        }
    }

    @Test
    void everyMessageMayBeSplitAnywhere() throws IOException {
        List<Step> steps = captured();
        for (int cut = 0; cut < steps.size(); cut++) {
            int digits = requests(steps.get(cut)).length();
            for (int at = 2; at < digits; at += 2) {
                startAnew();
                for (Step before : steps.subList(0, cut)) {
                    send(channel, requests(before));
                    received(channel);
                }
                String requests = requests(steps.get(cut));
                send(channel, requests.substring(0, at));
                send(channel, requests.substring(at));
                assertThat(received(channel))
                        .as("%s cut at byte %d", steps.get(cut).name(), at / 2)
                        .isEqualTo(answers(steps.get(cut)));
            }
        }
    }

    @Test
    void conversationMayArriveByteByByteOrInOnePiece() throws IOException {
        StringBuilder requests = new StringBuilder();
        StringBuilder answers = new StringBuilder();
        captured().forEach(step -> {
            requests.append(requests(step));
            answers.append(answers(step));
        });

        send(channel, requests.toString());
        assertThat(received(channel)).isEqualTo(answers.toString());

        startAnew();
        for (int at = 0; at < requests.length(); at += 2) {
            send(channel, requests.substring(at, at + 2));
        }
        assertThat(received(channel)).isEqualTo(answers.toString());
    }

    // --- what could not be captured

    @Test
    void multiGetReadsAndMultiSetWritesAllAtOnce() {
        List<Change> changes = new ArrayList<>();
        SessionOutput output = mock(SessionOutput.class);
        Mockito.doAnswer(call -> changes.add(call.getArgument(1))).when(output).tell(Mockito.any(), Mockito.any());
        nativeClient(output)
                .submit(
                        1,
                        List.of(new Operation.Watch("a", change -> {}), new Operation.Watch("b", change -> {})),
                        LONG);
        String multiSet = "0b" + "0200000000000000" + "02000000000000002f61" + "010000000000000031"
                + "02000000000000002f62" + "010000000000000032";
        send(channel, VALIDATE);

        for (int at = 0; at < multiSet.length(); at += 2) {
            assertThat(changes).isEmpty();
            send(channel, multiSet.substring(at, at + 2));
        }

        assertThat(changes)
                .containsExactlyInAnyOrder(
                        new Change.Written("a", Value.of("1")), new Change.Written("b", Value.of("2")));
        assertThat(received(channel)).isEmpty();
        send(
                channel,
                "0a" + "0300000000000000" + "02000000000000002f62" + "02000000000000002f78" + "02000000000000002f61");
        assertThat(received(channel)).isEqualTo("010000000000000032" + "0000000000000000" + "010000000000000031");
    }

    @Test
    void barrierReleasesWhenAllHaveArrived() {
        EmbeddedChannel other = connect();
        send(channel, VALIDATE + "12" + "02000000000000002f62" + "0200000000000000");
        assertThat(received(channel)).isEmpty();

        send(other, message(PyTorchOperation.BARRIER, "/b", 2L));

        assertThat(received(channel)).isEqualTo("00");
        assertThat(received(other)).isEqualTo("00");
        send(other, message(PyTorchOperation.GET, "/b"), message(PyTorchOperation.BARRIER, "/b", 2L));
        assertThat(received(other)).isEqualTo("010000000000000032" + "00");
    }

    @Test
    void barrierIsCancelledLikeAWait() {
        EmbeddedChannel other = connect();
        send(channel, VALIDATE);
        send(channel, message(PyTorchOperation.BARRIER, "/b", 2L), message(PyTorchOperation.CANCEL_WAIT));
        assertThat(received(channel)).isEqualTo("01");

        send(other, message(PyTorchOperation.BARRIER, "/b", 2L));

        assertThat(received(other)).isEqualTo("00");
        assertThat(received(channel)).isEmpty();
    }

    // --- how our server differs

    @Test
    void compareSetOfAnAbsentKeyReturnsAnEmptyValue() {
        send(channel, VALIDATE);
        send(channel, message(PyTorchOperation.COMPARE_SET, "/key", Value.of("x"), Value.of("y")));

        assertThat(received(channel)).isEqualTo("0000000000000000");
    }

    @Test
    void requestsBeforeValidateAreRejected() {
        send(channel, "0000000000" + "01" + "02000000000000002f61" + "010000000000000031");

        assertThat(channel.isOpen()).isFalse();
        assertThat(server.keyspace().holdings().keys()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "13, an operation that there is not",
        "00cef7853c, VALIDATE in the middle",
        "030120000000000000, a key of 8193 bytes",
        "0300000000000000ff, a key of less than no bytes",
        "010100000000000000610100800000000000, a value of 8 MiB and a byte",
        "050100020000000000, a list of 131073 keys",
        "030100000000000000ff, a key that is not in UTF-8",
        "040300000000000000" + "2f6b65790000000000000000, no number to add to"
    })
    void protocolViolationClosesTheConnection(String hex, String what) {
        send(channel, VALIDATE);
        send(channel, message(PyTorchOperation.SET, "/ke", Value.of("text")));
        assertThat(channel.isOpen()).isTrue();

        send(channel, hex);

        assertThat(channel.isOpen()).as(what).isFalse();
        EmbeddedChannel other = connect();
        send(other, message(PyTorchOperation.GET, "/ke"));
        assertThat(received(other)).isEqualTo("040000000000000074657874");
    }

    @Test
    void answerToOneRequestIsLimited() {
        send(channel, VALIDATE);
        send(channel, message(PyTorchOperation.SET, "/key", Value.of(new byte[8 << 20])));
        Object[] manyTimes = new Object[1000];
        Arrays.fill(manyTimes, "/key");

        send(channel, new PyTorchMessage(PyTorchOperation.MULTI_GET, List.of(manyTimes)));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void listOfKeysIsLimited() {
        KeyspaceSession nativeClient = nativeClient(mock(SessionOutput.class));
        String start = "k".repeat(8100);
        for (int i = 0; i < (64 << 20) / 8100; i++) {
            nativeClient.submit(1, List.of(new Operation.Set(start + i, Value.empty())), LONG);
        }
        send(channel, VALIDATE);

        send(channel, message(PyTorchOperation.LIST_KEYS));

        assertThat(channel.isOpen()).isFalse();
        assertThat(received(channel)).isEmpty();
    }

    @Test
    void answerThatDoesNotFitIsReleased() {
        send(channel, VALIDATE);
        ByteBuf tooSmall = Unpooled.buffer(4, 4);
        ByteBufAllocator allocator = mock(ByteBufAllocator.class);
        Mockito.when(allocator.buffer()).thenReturn(tooSmall);
        channel.config().setAllocator(allocator);

        send(channel, message(PyTorchOperation.KEY_COUNT));

        assertThat(channel.isOpen()).isFalse();
        assertThat(tooSmall.refCnt()).isZero();
    }

    @Test
    void lackOfMemoryClosesTheConnectionWithAWarning() {
        BackgroundLog.flush(Duration.ofSeconds(10)); // lines of earlier tests
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.resiliency.store.tcp.internal");
        logger.addAppender(logged);
        send(channel, VALIDATE);
        ByteBufAllocator allocator = mock(ByteBufAllocator.class);
        Mockito.when(allocator.buffer()).thenThrow(new OutOfMemoryError("full"));
        channel.config().setAllocator(allocator);

        send(channel, message(PyTorchOperation.KEY_COUNT));
        BackgroundLog.flush(Duration.ofSeconds(10));
        logger.detachAppender(logged);

        assertThat(channel.isOpen()).isFalse();
        assertThat(logged.list)
                .singleElement()
                .asString()
                .contains("[WARN] Closed the connection of the PyTorch client", "out of memory", "full");
    }

    @Test
    void messageIsLimitedAsAWhole() {
        send(channel, VALIDATE);
        Value large = Value.of(new byte[8 << 20]);

        send(channel, message(PyTorchOperation.MULTI_SET, "/a", large, "/b", large, "/c", large));

        assertThat(channel.isOpen()).isFalse();
        assertThat(server.keyspace().holdings().keys()).isZero();
    }

    // --- waiting

    @Test
    void waitEndsWhenANativeClientSetsTheKey() {
        send(channel, VALIDATE);
        send(channel, message(PyTorchOperation.WAIT, "/a", "/b"));
        SessionOutput output = mock(SessionOutput.class);
        KeyspaceSession nativeClient = nativeClient(output);

        nativeClient.submit(1, List.of(new Operation.Set("a", Value.of("1"))), LONG);
        channel.runPendingTasks();
        assertThat(received(channel)).isEmpty();
        nativeClient.submit(2, List.of(new Operation.Set("b", Value.of("2"))), LONG);
        channel.runPendingTasks();

        assertThat(received(channel)).isEqualTo("00");
    }

    @Test
    void nativeClientReadsWhatAPyTorchClientSets() {
        SessionOutput output = mock(SessionOutput.class);
        nativeClient(output).submit(1, List.of(new Operation.Get("key")), LONG);

        send(channel, VALIDATE);
        send(channel, message(PyTorchOperation.SET, "/key", Value.of("text")));
        send(channel, message(PyTorchOperation.ADD, "init/", 1L), message(PyTorchOperation.LIST_KEYS));

        @SuppressWarnings("unchecked")
        ArgumentCaptor<List<Object>> results = ArgumentCaptor.forClass(List.class);
        Mockito.verify(output).reply(Mockito.eq(1L), results.capture());
        assertThat(results.getValue()).containsExactly(Value.of("text"));
        assertThat(received(channel))
                .isEqualTo("0100000000000000" + "0200000000000000" + "0500000000000000696e69742f"
                        + "04000000000000002f6b6579");
    }

    @Test
    void clientThatDisconnectsWhileWaitingIsForgotten() {
        EmbeddedChannel other = connect();
        send(channel, VALIDATE);
        send(other, message(PyTorchOperation.WAIT, "/queue"));
        send(other, message(PyTorchOperation.BARRIER, "/barrier", 3L));
        other.close().syncUninterruptibly();

        send(channel, message(PyTorchOperation.WAIT, "/queue"));
        send(channel, message(PyTorchOperation.QUEUE_PUSH, "/queue", Value.of("v")));
        send(channel, message(PyTorchOperation.QUEUE_POP, "/queue"));
        send(channel, message(PyTorchOperation.BARRIER, "/barrier", 2L));

        assertThat(received(channel)).isEqualTo("00" + "0100000000000000" + "010000000000000076" + "00");
        assertThat(received(other)).isEmpty();
        assertThat(server.statistics().connections()).isEqualTo(1);
    }

    @Test
    void pushWakesOneWaiter() {
        EmbeddedChannel first = connect();
        EmbeddedChannel second = connect();
        send(first, message(PyTorchOperation.WAIT, "/queue"));
        send(second, message(PyTorchOperation.WAIT, "/queue"));

        send(connect(), message(PyTorchOperation.QUEUE_PUSH, "/queue", Value.of("v")));
        assertThat(received(first)).isEqualTo("00");
        assertThat(received(second)).isEmpty();

        send(connect(), message(PyTorchOperation.QUEUE_PUSH, "/queue", Value.of("w")));
        assertThat(received(second)).isEqualTo("00");
    }

    @Test
    void waitMayCoverQueuesAndKeys() {
        EmbeddedChannel other = connect();
        send(channel, VALIDATE);
        send(channel, message(PyTorchOperation.WAIT, "/queue", "/key"));

        send(other, message(PyTorchOperation.QUEUE_PUSH, "/queue", Value.of("v")));
        assertThat(received(channel)).isEmpty();
        send(other, message(PyTorchOperation.SET, "/key", Value.of("v")));

        assertThat(received(channel)).isEqualTo("00");
    }

    @Test
    void waitsOfAConnectionAreLimited() {
        send(channel, VALIDATE);
        for (int i = 0; i < 1024; i++) {
            send(channel, message(PyTorchOperation.WAIT, "/" + i));
        }
        assertThat(channel.isOpen()).isTrue();

        send(channel, message(PyTorchOperation.WAIT, "/more"));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void clientThatNeverCompletesAMessageIsDisconnected() {
        send(channel, VALIDATE);
        send(channel, "0b" + "0200000000000000" + "02000000000000002f61");
        channel.advanceTimeBy(29, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.isOpen()).isTrue();

        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isFalse();
        assertThat(server.keyspace().holdings().keys()).isZero();
    }

    @Test
    void queuedValuesAreCounted() {
        send(channel, VALIDATE);
        long before = server.keyspace().holdings().bytes();

        send(channel, message(PyTorchOperation.QUEUE_PUSH, "/queue", Value.of(new byte[1000])));
        assertThat(server.keyspace().holdings().bytes()).isGreaterThanOrEqualTo(before + 1000);
        send(channel, message(PyTorchOperation.QUEUE_POP, "/queue"));

        assertThat(server.keyspace().holdings().bytes()).isEqualTo(before);
    }

    @Test
    void fullStoreRejectsPushes() {
        startAnew(Map.of(StoreLimit.TOTAL_BYTES, 10_000L));
        send(channel, VALIDATE);
        send(channel, message(PyTorchOperation.QUEUE_PUSH, "/queue", Value.of(new byte[9000])));
        assertThat(channel.isOpen()).isTrue();

        send(channel, message(PyTorchOperation.QUEUE_PUSH, "/queue", Value.of(new byte[9000])));

        assertThat(channel.isOpen()).isFalse();
    }

    // --- both on one port

    @Test
    void nativeClientsAreUnaffected() {
        ByteBuf preface = Unpooled.buffer();
        Frames.writePreface(preface);
        ByteBuf frame = Frames.frame(
                channel.alloc(), Frames.HELLO, 0, body -> body.text("scope").value(Value.empty()));
        String hello = ByteBufUtil.hexDump(preface) + ByteBufUtil.hexDump(frame);
        frame.release();

        for (int at = 0; at < hello.length(); at += 2) {
            send(channel, hello.substring(at, at + 2));
        }

        assertThat(received(channel).substring(8)).startsWith("10" + "0000000000000000" + "0001");
        assertThat(server.statistics().connections()).isEqualTo(1);
    }

    @Test
    void setOfANativeClientIsNotAValue() {
        nativeClient(mock(SessionOutput.class)).submit(1, List.of(new Operation.AddToSet("set", IndexSet.of(1))), LONG);
        send(channel, VALIDATE);
        send(channel, message(PyTorchOperation.CHECK, "/set"));
        assertThat(received(channel)).isEqualTo("00");

        send(channel, message(PyTorchOperation.GET, "/set"));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void pyTorchClientIsRejectedByDefault() {
        EmbeddedChannel refusing = new EmbeddedChannel();
        ServerConnection.install(
                new ServerState(
                        refusing.eventLoop(),
                        new ServerSettings("", Credentials.NONE, false, Limits.defaults()),
                        Descriptors.of(1 << 20)),
                null,
                refusing);

        refusing.writeInbound(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(VALIDATE)));

        assertThat(refusing.isOpen()).isFalse();
        refusing.finishAndReleaseAll();
    }

    @Test
    void clientThatNeverCompletesTheHandshakeIsDisconnected() {
        send(channel, VALIDATE.substring(0, 8));
        channel.advanceTimeBy(10, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isFalse();
        assertThat(server.statistics().connections()).isZero();
    }

    @Test
    void validatedClientMayBeSilentForLong() {
        send(channel, VALIDATE);
        send(channel, message(PyTorchOperation.WAIT, "/key"));
        channel.advanceTimeBy(1, TimeUnit.DAYS);
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void clientThatDoesNotReadIsNotRead() {
        send(channel, VALIDATE);
        send(channel, message(PyTorchOperation.SET, "/key", Value.of(new byte[8 << 20])));
        int[] reads = {0};
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void flush(ChannelHandlerContext context) {
                // The client's window is closed.
            }

            @Override
            public void read(ChannelHandlerContext context) {
                reads[0]++;
            }
        });
        send(channel, message(PyTorchOperation.GET, "/key"));
        assertThat(channel.config().isAutoRead()).isFalse();
        reads[0] = 0;

        send(channel, message(PyTorchOperation.CHECK, "/key"));

        assertThat(reads[0]).isZero();
    }
}

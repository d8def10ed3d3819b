package dev.resiliency.store.tcp.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.Operation;
import dev.resiliency.store.StoreAddress;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClientSessionTest {
    private static final ByteBufAllocator ALLOCATOR = ByteBufAllocator.DEFAULT;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ClientSession session;

    ClientSessionTest() {
        channel.freezeTime();
        CompletableFuture<ClientConnection> welcome = new CompletableFuture<>();
        FlushQueue flushes = new FlushQueue(channel.eventLoop());
        channel.pipeline()
                .addLast(
                        new FrameDecoder(),
                        new ClientConnection(new ClientHandshake("scope", null), channel, flushes, welcome));
        channel.pipeline().fireChannelActive();
        receive(Frames.frame(
                ALLOCATOR,
                Frames.WELCOME,
                0,
                body -> body.shortOf(1)
                        .number(42)
                        .value(Value.empty())
                        .varint(1 << 20)
                        .value(Value.empty())));
        Endpoint endpoint = new Endpoint(new StoreAddress("host", 77, "scope"));
        session = new ClientSession(endpoint, new NoDialer(channel.eventLoop()), welcome.join(), Duration.ZERO);
        channel.releaseOutbound();
    }

    /** Where there is no second connection. */
    private record NoDialer(EventLoop eventLoop) implements Dialer {
        @Override
        public CompletableFuture<ClientConnection> dial(TimeLimits limits) {
            throw new AssertionError();
        }
    }

    @AfterEach
    void release() {
        channel.finishAndReleaseAll();
    }

    private void receive(ByteBuf bytes) {
        channel.writeInbound(bytes);
        channel.runPendingTasks();
    }

    private CompletableFuture<List<@Nullable Object>> get(String key) {
        CompletableFuture<List<@Nullable Object>> answer = session.submit(List.of(new Operation.Get(key)), SECOND);
        channel.runPendingTasks();
        return answer;
    }

    @Test
    void theServerNamesTheSession() {
        assertThat(session.id()).isEqualTo(42);
    }

    @Test
    void aServerThatIsSilentIsGivenUpAfterFiveSecondsMore() {
        CompletableFuture<List<@Nullable Object>> answer = get("key");
        channel.advanceTimeBy(5999, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        assertThat(answer).isNotDone();

        channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();

        assertThat(answer)
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(StoreTimeoutException.class)
                .withMessageContaining("store at host:77 did not answer within 6.0 s");
    }

    @Test
    void anAnswerToNobodyIsIgnored() {
        receive(Frames.frame(ALLOCATOR, Frames.REPLY, 99, body -> ResultCodec.writeAll(List.of(), body)));

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aCancelledRequestIsWithdrawn() {
        CompletableFuture<List<@Nullable Object>> answer = get("key");
        channel.releaseOutbound();
        answer.cancel(true);
        channel.runPendingTasks();

        ByteBuf frame = channel.readOutbound();
        assertThat(frame.getUnsignedByte(Integer.BYTES)).isEqualTo((short) Frames.CANCEL);
        frame.release();
    }

    @Test
    void garbageFromTheServerEndsTheSession() {
        List<StoreException> losses = new ArrayList<>();
        session.onLost(losses::add);
        CompletableFuture<List<@Nullable Object>> one = get("a");
        CompletableFuture<List<@Nullable Object>> two = get("b");

        receive(Unpooled.buffer().writeInt(9).writeByte(99).writeLong(0));

        assertThat(channel.isOpen()).isFalse();
        assertThat(losses)
                .singleElement()
                .isInstanceOf(StoreLostException.class)
                .asString()
                .contains("store at host:77 was lost: a server may not send frames of type 99");
        StoreException first =
                (StoreException) one.handle((results, failure) -> failure).join();
        StoreException second =
                (StoreException) two.handle((results, failure) -> failure).join();
        assertThat(first).isInstanceOf(StoreLostException.class).isNotSameAs(second);
        assertThat(((StoreLostException) second).address()).isEqualTo("host:77");
    }

    @Test
    void aListenerThatWaitsForTheStoreIsRefused() {
        CompletableFuture<List<@Nullable Object>> answer = get("key");

        // A channel without a socket runs on the thread of the test, so this is the store's own.
        assertThatThrownBy(answer::get)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a listener may not wait for the store");
    }
}

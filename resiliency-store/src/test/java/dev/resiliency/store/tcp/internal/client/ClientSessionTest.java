package dev.resiliency.store.tcp.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.Change;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import dev.resiliency.store.tcp.internal.wire.FlushQueue;
import dev.resiliency.store.tcp.internal.wire.FrameDecoder;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.ResultCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // of calls that only set the scene
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

    /** For tests without a second connection. */
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
    void serverAssignsTheSessionId() {
        assertThat(session.id()).isEqualTo(42);
    }

    @Test
    void requestToASilentServerFailsFiveSecondsAfterItsLimit() {
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
    void unexpectedAnswerIsIgnored() {
        receive(Frames.frame(ALLOCATOR, Frames.REPLY, 99, body -> ResultCodec.writeAll(List.of(), body)));

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void cancelledRequestIsWithdrawn() {
        CompletableFuture<List<@Nullable Object>> answer = get("key");
        channel.releaseOutbound();
        answer.cancel(true);
        channel.runPendingTasks();

        ByteBuf frame = channel.readOutbound();
        assertThat(frame.getUnsignedByte(Integer.BYTES)).isEqualTo((short) Frames.CANCEL);
        frame.release();
    }

    // --- watches

    /** Delivers a change of the key to the first watch. */
    private void push(String value) {
        Change change = new Change.Written("key", Value.of(value));
        receive(Frames.frame(ALLOCATOR, Frames.PUSH, 1, body -> ResultCodec.writeChange(change, body)));
    }

    private CompletableFuture<List<@Nullable Object>> submit(Operation<?>... operations) {
        CompletableFuture<List<@Nullable Object>> answer = session.submit(List.of(operations), SECOND);
        channel.runPendingTasks();
        return answer;
    }

    @Test
    void watchContinuesIfTheRequestToEndItIsTooLarge() {
        List<Change> changes = new ArrayList<>();
        Consumer<Change> listener = changes::add;
        submit(new Operation.Watch("key", listener));

        CompletableFuture<?> answer =
                submit(new Operation.Unwatch("key", listener), new Operation.Set("large", Value.of(new byte[1 << 20])));
        push("text");

        assertThat(answer)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(StoreRequestException.class);
        assertThat(changes).containsExactly(new Change.Written("key", Value.of("text")));
    }

    @Test
    void watchEndsWithTheAnswerOfTheServer() {
        List<Change> changes = new ArrayList<>();
        Consumer<Change> listener = changes::add;
        submit(new Operation.Watch("key", listener));

        submit(new Operation.Unwatch("key", listener));
        push("before");
        receive(Frames.frame(
                ALLOCATOR, Frames.REPLY, 2, body -> ResultCodec.writeAll(Collections.singletonList(null), body)));
        push("behind");

        assertThat(changes).containsExactly(new Change.Written("key", Value.of("before")));
    }

    @Test
    void watchEndsAtOnceWithoutAnAnswer() {
        List<Change> changes = new ArrayList<>();
        Consumer<Change> listener = changes::add;
        submit(new Operation.Watch("key", listener));

        session.send(List.of(new Operation.Unwatch("key", listener)));
        channel.runPendingTasks();
        push("text");

        assertThat(changes).isEmpty();
    }

    // ---

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
    void listenerMayNotWaitForTheStore() {
        CompletableFuture<List<@Nullable Object>> answer = get("key");

        // A channel without a socket runs on the thread of the test, so this is the store's own.
        assertThatThrownBy(answer::get)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a listener must not wait for the store");
        assertThatThrownBy(() -> answer.thenApply(List::size).get(0, TimeUnit.SECONDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a listener must not wait for the store");
    }

    /** A listener for which there is not enough memory. */
    private record LargeListener() implements Consumer<Change> {
        @Override
        public void accept(Change change) {}

        @Override
        public int hashCode() {
            throw new OutOfMemoryError("thrown on purpose");
        }
    }

    @Test
    void requestForWhichThereIsNoMemoryFails() {
        assertThat(submit(new Operation.Watch("key", new LargeListener())))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(StoreException.class)
                .withMessageContaining("could not be sent: java.lang.OutOfMemoryError: thrown on purpose");
    }
}

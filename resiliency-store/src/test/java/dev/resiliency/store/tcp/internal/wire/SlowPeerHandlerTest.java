package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that do not complete what they send, or do not read what they are sent. */
class SlowPeerHandlerTest {
    private static final int MAX_UNREAD = 100_000;

    private final List<String> failures = new ArrayList<>();
    private final List<Object> events = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final FrameDecoder decoder = new FrameDecoder();
    private final Unsent unsent = new Unsent(0, 1 << 20);
    private final Outbox outbox;
    /** How often the client still takes what it is sent. */
    private int reads = Integer.MAX_VALUE;

    SlowPeerHandlerTest() {
        channel.freezeTime();
        channel.pipeline()
                .addLast(
                        new ChannelOutboundHandlerAdapter() {
                            @Override
                            public void flush(ChannelHandlerContext context) {
                                if (reads > 0) {
                                    reads--;
                                    context.flush();
                                }
                            }
                        },
                        decoder,
                        new SlowPeerHandler(decoder),
                        new ChannelInboundHandlerAdapter() {
                            @Override
                            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                                failures.add(String.valueOf(cause.getMessage()));
                            }

                            @Override
                            public void userEventTriggered(ChannelHandlerContext context, Object event) {
                                events.add(event);
                            }
                        });
        outbox = new Outbox(
                channel.pipeline().context(decoder), new SendTurns(channel.eventLoop()), unsent, MAX_UNREAD, 1 << 20);
    }

    @AfterEach
    void release() {
        outbox.close();
        channel.finishAndReleaseAll();
    }

    private void pass(long seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runPendingTasks();
    }

    private void turn() {
        channel.runPendingTasks();
        channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        channel.runPendingTasks();
    }

    /** Lets more wait than the client may leave unread. */
    private void overfill() {
        outbox.write(Unpooled.buffer().writeZero(MAX_UNREAD + 2 * Outbox.PIECE_BYTES));
        turn();
    }

    @Test
    void frameMustBeCompleteWithinThirtySeconds() {
        channel.writeInbound(Unpooled.buffer().writeInt(2).writeByte(1));
        pass(29);
        assertThat(failures).isEmpty();

        pass(1);

        assertThat(failures).containsExactly("it began a frame and did not complete it within 30 s");
    }

    @Test
    void frameThatIsCompleteInTimeIsNotWatchedAnyMore() {
        channel.writeInbound(Unpooled.buffer().writeInt(2).writeByte(1));
        pass(29);
        channel.writeInbound(Unpooled.buffer().writeByte(1));
        pass(100);

        assertThat(failures).isEmpty();
    }

    @Test
    void laterFrameHasItsOwnThirtySeconds() {
        channel.writeInbound(Unpooled.buffer().writeInt(2).writeByte(1));
        pass(20);
        channel.writeInbound(Unpooled.buffer().writeByte(1).writeInt(2));
        pass(10);
        assertThat(failures).isEmpty();
        pass(29);
        assertThat(failures).isEmpty();

        pass(1);

        assertThat(failures).hasSize(1);
    }

    @Test
    void serverReadsNothingOfAClientThatLeavesTooMuchUnread() {
        reads = 0;
        overfill();
        assertThat(channel.config().isAutoRead()).isFalse();
        assertThat(decoder.isHeld()).isTrue();

        reads = Integer.MAX_VALUE;
        channel.flush();
        for (int piece = 0; piece < 10; piece++) {
            turn();
        }

        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(decoder.isHeld()).isFalse();
        pass(100);
        assertThat(failures).isEmpty();
    }

    @Test
    void clientMustReadWithinThirtySeconds() {
        reads = 0;
        overfill();
        pass(29);
        assertThat(failures).isEmpty();

        pass(1);

        assertThat(failures)
                .containsExactly("it has not read for 30 s, and more than 100000 bytes are buffered for it"
                        + " (max-unwritten-bytes)");
    }

    @Test
    void clientThatReadsHoweverSlowlyHasTime() {
        reads = 0;
        overfill();
        pass(29);
        reads = 1;
        channel.flush();

        pass(29);
        assertThat(failures).isEmpty();
        pass(1);

        assertThat(failures).hasSize(1);
    }

    @Test
    void otherEventsPass() {
        channel.pipeline().fireUserEventTriggered("another");

        assertThat(events).containsExactly("another");
    }

    @Test
    void clientThatIsGoneIsNotWatched() {
        reads = 0;
        overfill();
        channel.writeInbound(Unpooled.buffer().writeInt(2).writeByte(1));

        channel.close().syncUninterruptibly();
        failures.clear();
        pass(100);

        assertThat(failures).isEmpty();
    }
}

package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import io.netty.buffer.ByteBuf;
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

/** What waits until the client has read what came before it. */
class OutboxTest {
    private static final int MAX_UNREAD = 100_000;
    private static final int LARGEST_FRAME = 400_000;
    private static final Value LARGE = Value.of(new byte[200_000]);

    /** A connection, whose client may stop to read. */
    private static final class Link {
        final EmbeddedChannel channel;
        final List<Boolean> over = new ArrayList<>();
        final Outbox outbox;
        boolean isStopped;
        long microsPerPiece;

        Link(EmbeddedChannel channel, SendTurns turns, Unsent unsent) {
            this.channel = channel;
            channel.freezeTime();
            channel.pipeline()
                    .addLast(
                            new ChannelOutboundHandlerAdapter() {
                                @Override
                                public void flush(ChannelHandlerContext context) {
                                    channel.advanceTimeBy(microsPerPiece, TimeUnit.MICROSECONDS);
                                    if (!isStopped) {
                                        context.flush();
                                    }
                                }
                            },
                            new ChannelInboundHandlerAdapter(),
                            new ChannelInboundHandlerAdapter() {
                                @Override
                                public void userEventTriggered(ChannelHandlerContext context, Object event) {
                                    over.add(((Outbox) event).isOver());
                                }
                            });
            ChannelHandlerContext writer =
                    channel.pipeline().context(channel.pipeline().names().get(1));
            this.outbox = new Outbox(writer, turns, unsent, MAX_UNREAD, LARGEST_FRAME);
        }

        void read() {
            isStopped = false;
            channel.flush();
        }

        long pending() {
            return channel.unsafe().outboundBuffer().totalPendingWriteBytes();
        }
    }

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final SendTurns turns = new SendTurns(channel.eventLoop());
    private final Unsent unsent = new Unsent(0, LARGEST_FRAME);
    private final Link link = new Link(channel, turns, unsent);
    private final EmbeddedChannel otherChannel = new EmbeddedChannel();

    @AfterEach
    void release() {
        link.outbox.close();
        channel.finishAndReleaseAll();
        otherChannel.finishAndReleaseAll();
    }

    private static ByteBuf bytes(int size) {
        return Unpooled.directBuffer(size).writeZero(size);
    }

    private static ByteBuf frame(Value value) {
        return LargeFrame.of(Unpooled.buffer(8).writeLong(value.size()), value);
    }

    private void turn() {
        channel.runPendingTasks();
        nextPiece();
    }

    private void nextPiece() {
        channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        channel.runPendingTasks();
    }

    private long received(EmbeddedChannel from) {
        long bytes = 0;
        for (ByteBuf piece = from.readOutbound(); piece != null; piece = from.readOutbound()) {
            bytes += piece.readableBytes();
            piece.release();
        }
        return bytes;
    }

    @Test
    void smallFramePassesAtOnce() {
        link.outbox.writeAndFlush(bytes(100));

        assertThat(received(channel)).isEqualTo(100);
    }

    @Test
    void frameThatIsNoLongerThanAPieceDoesNotWait() {
        link.outbox.write(bytes(Outbox.PIECE_BYTES));
        assertThat(unsent.bytes()).isZero();
        assertThat(link.outbox.isBusy()).isFalse();
        assertThat(link.pending()).isGreaterThanOrEqualTo(Outbox.PIECE_BYTES);

        link.outbox.write(bytes(Outbox.PIECE_BYTES + 1));

        assertThat(unsent.bytes()).isEqualTo(Outbox.PIECE_BYTES + 1);
        assertThat(link.outbox.isBusy()).isTrue();
        channel.flush();
        turn();
        assertThat(received(channel)).isEqualTo(2 * Outbox.PIECE_BYTES + 1);
    }

    @Test
    void channelOfAClientThatDoesNotReadGetsOnePieceOfALargeValue() {
        link.isStopped = true;
        link.outbox.write(frame(LARGE));
        turn();
        turn();

        assertThat(link.pending()).isBetween((long) Outbox.PIECE_BYTES, Outbox.PIECE_BYTES + 1000L);
    }

    @Test
    void channelOfAClientThatDoesNotReadGetsNoMoreSmallFramesThanItHolds() {
        link.isStopped = true;
        for (int i = 0; i < 1000; i++) {
            link.outbox.write(bytes(1000));
        }
        turn();

        assertThat(link.pending()).isLessThan(100_000 + Outbox.PIECE_BYTES);
        link.read();
        turn();
        turn();
        assertThat(received(channel)).isEqualTo(1_000_000);
    }

    @Test
    void framesKeepTheirOrder() {
        link.outbox.write(bytes(8).setLong(0, 1));
        link.outbox.write(frame(LARGE));
        link.outbox.write(bytes(8).setLong(0, 2));
        turn();

        ByteBuf all = Unpooled.buffer();
        for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
            all.writeBytes(piece);
            piece.release();
        }
        assertThat(all.readLong()).isEqualTo(1);
        assertThat(all.readLong()).isEqualTo(LARGE.size());
        assertThat(all.skipBytes(LARGE.size()).readLong()).isEqualTo(2);
        assertThat(all.isReadable()).isFalse();
    }

    @Test
    void clientsOfALargeValueReceiveItInTurn() {
        link.isStopped = true;
        Link other = new Link(otherChannel, turns, unsent);
        link.outbox.write(frame(LARGE));
        other.outbox.write(frame(LARGE));
        turn();

        assertThat(received(otherChannel)).isEqualTo(LARGE.size() + 8);
        link.read();
        turn();
        assertThat(received(channel)).isEqualTo(LARGE.size() + 8);
    }

    @Test
    void oneTurnOfManyLargeValuesLeavesTheRestToTheNext() {
        link.microsPerPiece = 300;
        link.outbox.write(frame(LARGE));

        channel.runPendingTasks();
        assertThat(received(channel)).isEqualTo(4 * Outbox.PIECE_BYTES);
        turn();
        assertThat(received(channel)).isEqualTo(4 * Outbox.PIECE_BYTES);
    }

    @Test
    void largeValueCountsOnceHoweverManyAreSentIt() {
        link.isStopped = true;
        for (int i = 0; i < 10; i++) {
            link.outbox.write(frame(LARGE));
        }

        assertThat(unsent.bytes()).isBetween(LARGE.size() + 80L, LARGE.size() + 1000L);
        link.outbox.close();
        assertThat(unsent.bytes()).isZero();
    }

    @Test
    void answerForWhichThereIsNoRoomIsRefused() {
        link.isStopped = true;
        for (int i = 0; i < 8; i++) {
            link.outbox.write(frame(Value.of(new byte[200_000])));
        }
        ByteBuf another = frame(LARGE);

        assertThatThrownBy(() -> unsent.check(another))
                .isInstanceOf(StoreRequestException.class)
                .hasMessageContaining("try again");
        another.release();
        ByteBuf small = bytes(100);
        unsent.check(small); // is never refused
        small.release();
    }

    @Test
    void clientIsOverWhileMoreWaitsThanItMayLeaveUnread() {
        link.isStopped = true;
        link.outbox.write(frame(LARGE));
        turn();
        assertThat(link.over).containsExactly(true);

        link.read();
        turn();

        assertThat(link.over).containsExactly(true, false);
    }

    @Test
    void clientMayLeaveExactlySoManyBytesUnread() {
        link.outbox.write(bytes(MAX_UNREAD));
        assertThat(link.over).isEmpty();

        link.outbox.write(bytes(1));

        assertThat(link.over).containsExactly(true);
    }

    @Test
    void clientIsOverUntilHalfOfWhatItMayLeaveUnreadIsSent() {
        link.microsPerPiece = 2000; // a piece in each turn
        link.outbox.write(bytes(MAX_UNREAD / 2 + 10 * Outbox.PIECE_BYTES));
        channel.runPendingTasks(); // the first piece
        for (int piece = 2; piece < 10; piece++) {
            nextPiece();
        }
        assertThat(received(channel)).isEqualTo(9 * Outbox.PIECE_BYTES);
        assertThat(link.over).containsExactly(true);

        nextPiece();

        assertThat(received(channel)).isEqualTo(Outbox.PIECE_BYTES);
        assertThat(link.over).containsExactly(true, false);
    }

    @Test
    void clientThatHasNoMoreUnreadThanItMayIsNotBehindHoweverLongItDoesNotRead() {
        link.isStopped = true;
        link.outbox.write(bytes(MAX_UNREAD + Outbox.PIECE_BYTES));
        channel.runPendingTasks();
        channel.advanceTimeBy(5, TimeUnit.SECONDS);
        assertThat(link.outbox.isBehind()).isFalse();
        assertThat(link.outbox.isBusy()).isFalse();

        link.outbox.write(bytes(1));

        assertThat(link.outbox.isBehind()).isTrue();
    }

    @Test
    void clientThatIsSentFarTooMuchIsBehindAlthoughItReads() {
        for (int i = 0; i < 8; i++) {
            link.outbox.write(frame(LARGE));
        }
        int most = MAX_UNREAD + 4 * LARGEST_FRAME;
        link.outbox.write(bytes(most - 8 * (LARGE.size() + 8)));
        assertThat(link.outbox.isBehind()).isFalse();

        link.outbox.write(bytes(1));

        assertThat(link.outbox.isBehind()).isTrue();
    }

    @Test
    void clientIsBehindOnceItHasNotReadForAWhile() {
        link.isStopped = true;
        link.outbox.write(frame(LARGE));
        turn();
        channel.advanceTimeBy(4, TimeUnit.SECONDS);
        assertThat(link.outbox.isBehind()).isFalse();
        assertThat(link.outbox.isBusy()).isTrue();
        channel.advanceTimeBy(1, TimeUnit.SECONDS);

        assertThat(link.outbox.isBehind()).isTrue();
        assertThat(link.outbox.isBusy()).isFalse();
    }

    @Test
    void clientThatMustOnlyWaitForItsTurnIsNotBehind() {
        link.outbox.write(frame(LARGE));
        channel.advanceTimeBy(1, TimeUnit.HOURS);

        assertThat(link.outbox.isBehind()).isFalse();
        assertThat(link.outbox.isBusy()).isTrue();
    }

    @Test
    void connectionIsClosedAfterItsLastFrame() {
        link.isStopped = true;
        link.outbox.write(frame(LARGE));
        link.outbox.writeLast(bytes(10));
        turn();
        assertThat(channel.isOpen()).isTrue();

        link.read();
        turn();
        turn();

        assertThat(received(channel)).isEqualTo(LARGE.size() + 18);
        assertThat(channel.isOpen()).isFalse();
    }
}

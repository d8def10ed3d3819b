package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Large frames that arrive in parts, on connections which share the room for them. */
@SuppressWarnings("FutureReturnValueIgnored") // embedded channels close at once
class IncomingTest {
    private static final int FRAME = 80_000;
    private static final int PART = 20_000;

    private final Incoming incoming = new Incoming(0, 100_000);
    private final Client first = new Client();
    private final Client second = new Client();

    private final class Client {
        final EmbeddedChannel channel = new EmbeddedChannel();
        final List<Integer> frames = new ArrayList<>();
        int sent;

        Client() {
            channel.freezeTime();
            FrameDecoder decoder = new FrameDecoder(incoming);
            decoder.endHandshake(WireLimits.DEFAULTS);
            channel.pipeline()
                    .addLast(
                            decoder,
                            new SimpleChannelInboundHandler<ByteBuf>() {
                                @Override
                                protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
                                    for (int i = 0; i < frame.readableBytes(); i++) {
                                        assertThat(frame.getByte(i)).isEqualTo((byte) i);
                                    }
                                    frames.add(frame.readableBytes());
                                }
                            },
                            new SlowPeerHandler(decoder));
        }

        void begin() {
            channel.writeInbound(Unpooled.buffer().writeInt(FRAME));
            send(PART);
        }

        void send(int bytes) {
            ByteBuf part = Unpooled.buffer(bytes);
            for (int i = 0; i < bytes; i++) {
                part.writeByte(sent++);
            }
            channel.writeInbound(part);
            channel.runPendingTasks();
        }

        boolean isRead() {
            channel.runPendingTasks();
            return channel.config().isAutoRead();
        }
    }

    @AfterEach
    void release() {
        first.channel.finishAndReleaseAll();
        second.channel.finishAndReleaseAll();
    }

    @Test
    void frameIsTheSameInHoweverManyPartsItArrives() {
        first.begin();
        while (first.sent < FRAME) {
            first.send(Math.min(777, FRAME - first.sent));
        }

        assertThat(first.frames).containsExactly(FRAME);
    }

    @Test
    void nothingMoreIsReadOfAFrameUntilThereIsRoom() {
        first.begin();
        second.begin();
        assertThat(first.isRead()).isTrue();
        assertThat(second.isRead()).isFalse();

        first.send(FRAME - PART);

        assertThat(second.isRead()).isTrue();
        second.send(FRAME - PART);
        assertThat(first.frames).containsExactly(FRAME);
        assertThat(second.frames).containsExactly(FRAME);
    }

    @Test
    void frameOfWhichLittleHasArrivedTakesNoRoom() {
        first.channel.writeInbound(Unpooled.buffer().writeInt(FRAME).writeInt(0));
        second.begin();

        assertThat(second.isRead()).isTrue();
    }

    @Test
    void endOfAConnectionLeavesItsRoomToOthers() {
        first.begin();
        second.begin();

        first.channel.close();

        assertThat(second.isRead()).isTrue();
    }

    @Test
    void endOfAConnectionThatWaitsLeavesItsPlaceToOthers() {
        Client third = new Client();
        first.begin();
        second.begin();
        third.begin();
        second.channel.close();
        first.channel.close();

        assertThat(third.isRead()).isTrue();
        third.channel.finishAndReleaseAll();
    }

    @Test
    void timeInWhichThereIsNoRoomIsNotThatOfTheClient() {
        first.begin();
        second.begin();
        second.channel.advanceTimeBy(29, TimeUnit.SECONDS);
        second.channel.runPendingTasks();
        first.channel.close();
        assertThat(second.isRead()).isTrue();
        second.channel.advanceTimeBy(29, TimeUnit.SECONDS);
        second.channel.runPendingTasks();

        second.send(FRAME - PART);

        assertThat(second.frames).containsExactly(FRAME);
    }

    @Test
    void clientThatDoesNotEndItsFrameMakesRoomAfterThirtySeconds() {
        List<Throwable> failures = new ArrayList<>();
        first.channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                failures.add(cause);
                context.close();
            }
        });
        first.begin();
        second.begin();

        first.channel.advanceTimeBy(30, TimeUnit.SECONDS);
        first.channel.runPendingTasks();

        assertThat(failures).singleElement().isInstanceOf(ProtocolException.class);
        assertThat(second.isRead()).isTrue();
    }
}

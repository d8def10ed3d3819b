package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The turns of a client that sends many frames at once. */
class FramingTest {
    private final List<Integer> received = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private long millisPerFrame = 3;

    {
        channel.freezeTime();
        channel.pipeline().addLast(new FrameDecoder(), new SimpleChannelInboundHandler<ByteBuf>() {
            @Override
            protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
                received.add((int) frame.readByte());
                channel.advanceTimeBy(millisPerFrame, TimeUnit.MILLISECONDS);
            }
        });
    }

    @AfterEach
    void release() {
        channel.finishAndReleaseAll();
    }

    private void send(int frames) {
        ByteBuf all = Unpooled.buffer();
        for (int i = 0; i < frames; i++) {
            all.writeInt(1).writeByte(i);
        }
        channel.writeInbound(all);
    }

    private void nextTurn() {
        channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        channel.runPendingTasks();
    }

    @Test
    void clientWhoseRequestsTakeLongGivesWayToTheOthers() {
        send(8);

        assertThat(received).containsExactly(0, 1, 2);
        assertThat(channel.config().isAutoRead()).isFalse();
        nextTurn();
        assertThat(received).containsExactly(0, 1, 2, 3, 4, 5);
        nextTurn();
        assertThat(received).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void clientWhoseRequestsTakeLittleTimeDoesNot() {
        millisPerFrame = 0;

        send(100);

        assertThat(received).hasSize(100);
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    /** What it has sent counts, whenever its connection ends: it may be a goodbye. */
    @Test
    void endOfTheConnectionPassesOnTheRest() {
        send(8);

        channel.close().syncUninterruptibly();

        assertThat(received).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }
}

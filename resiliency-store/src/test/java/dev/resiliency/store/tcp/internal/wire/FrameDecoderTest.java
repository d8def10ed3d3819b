package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Frames of the bytes that arrive, in whatever parts. */
class FrameDecoderTest {
    private final FrameDecoder decoder = new FrameDecoder();
    private final EmbeddedChannel channel = new EmbeddedChannel(decoder);

    @AfterEach
    void release() {
        channel.finishAndReleaseAll();
    }

    private void assertRefused(ByteBuf bytes, String message) {
        assertThatThrownBy(() -> channel.writeInbound(bytes))
                .isInstanceOf(DecoderException.class)
                .hasRootCauseInstanceOf(ProtocolException.class)
                .hasRootCauseMessage(message);
        channel.pipeline().remove(decoder); // it would refuse them again at the end of the connection
    }

    private static ByteBuf frame(int length) {
        return Unpooled.buffer().writeInt(length).writeZero(length);
    }

    private List<Integer> received() {
        List<Integer> lengths = new ArrayList<>();
        for (ByteBuf frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
            lengths.add(frame.readableBytes());
            frame.release();
        }
        return lengths;
    }

    @Test
    void framesAreCountedOnceTheyAreComplete() {
        ByteBuf bytes = frame(10);
        for (int part : new int[] {2, 2, 6}) {
            channel.writeInbound(bytes.readRetainedSlice(part));
            assertThat(received()).isEmpty();
            assertThat(decoder.isAmidFrame()).isTrue();
            assertThat(decoder.frames()).isZero();
        }

        channel.writeInbound(bytes);

        assertThat(received()).containsExactly(10);
        assertThat(decoder.isAmidFrame()).isFalse();
        assertThat(decoder.frames()).isOne();
        assertThat(decoder.reads()).isEqualTo(4);
    }

    @Test
    void severalFramesMayArriveAtOnce() {
        channel.writeInbound(Unpooled.wrappedBuffer(frame(0), frame(3), frame(5)));

        assertThat(received()).containsExactly(0, 3, 5);
        assertThat(decoder.frames()).isEqualTo(3);
        assertThat(decoder.marks()).isEqualTo(3);
    }

    @Test
    void framesAreSmallUntilTheHandshakeIsOver() {
        channel.writeInbound(frame(Frames.MAX_HANDSHAKE_BYTES));
        assertThat(received()).containsExactly(Frames.MAX_HANDSHAKE_BYTES);

        assertRefused(
                frame(Frames.MAX_HANDSHAKE_BYTES + 1),
                "a frame of 16385 bytes is over the limit of 16384 (max-frame-bytes)");
    }

    @Test
    void framesAreLimitedAsTheServerWishesAfterTheHandshake() {
        decoder.endHandshake(new WireLimits(100_000, 10));
        channel.writeInbound(frame(100_000));
        assertThat(received()).containsExactly(100_000);

        assertRefused(
                Unpooled.buffer().writeInt(100_001),
                "a frame of 100001 bytes is over the limit of 100000 (max-frame-bytes)");
    }

    @Test
    void largeFrameThatArrivesInPartsIsUnderwayUntilItIsComplete() {
        decoder.endHandshake(new WireLimits(100_000, 10));
        ByteBuf bytes = frame(100_000);
        channel.writeInbound(bytes.readRetainedSlice(50_000));
        assertThat(decoder.isAmidFrame()).isTrue();
        assertThat(received()).isEmpty();

        channel.writeInbound(bytes);

        assertThat(received()).containsExactly(100_000);
        assertThat(decoder.isAmidFrame()).isFalse();
    }

    @Test
    void lengthIsUnsigned() {
        assertRefused(
                Unpooled.buffer().writeInt(-1),
                "a frame of 4294967295 bytes is over the limit of 16384 (max-frame-bytes)");
    }

    @Test
    void frameIsGatheredIfMuchOfItHasArrivedButNotAll() {
        assertThat(LargeArrival.isOf(100_000, LargeFrame.LARGE_BYTES)).isFalse();
        assertThat(LargeArrival.isOf(100_000, LargeFrame.LARGE_BYTES + 1)).isTrue();
        assertThat(LargeArrival.isOf(100_000, 99_999)).isTrue();
        assertThat(LargeArrival.isOf(100_000, 100_000)).isFalse();
    }
}

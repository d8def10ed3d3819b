package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.Value;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The frames that a session keeps until the other end has received them. */
class UnacknowledgedTest {
    private final Unacknowledged kept = new Unacknowledged(100, 4);

    /** Returns a frame of this many bytes, with its length. */
    private static ByteBuf frame(int bytes, int content) {
        return Unpooled.buffer(bytes)
                .writeInt(bytes - 4)
                .writeBytes(new byte[bytes - 5])
                .writeByte(content);
    }

    private List<Integer> resent() {
        List<Integer> contents = new ArrayList<>();
        kept.resend(frame -> {
            contents.add((int) frame.getByte(frame.writerIndex() - 1));
            frame.release();
        });
        return contents;
    }

    @Test
    void framesAreNumberedFromOneAndSentAgainInTheirOrder() {
        assertThat(kept.add(frame(20, 1))).isEqualTo(1);
        assertThat(kept.add(frame(30, 2))).isEqualTo(2);

        assertThat(resent()).containsExactly(1, 2);
        assertThat(kept.bytes()).isEqualTo(50);
        assertThat(kept.count()).isEqualTo(2);
    }

    @Test
    void whatTheOtherEndHasReceivedIsForgotten() {
        ByteBuf first = frame(20, 1);
        ByteBuf second = frame(30, 2);
        kept.add(first);
        kept.add(second);
        first.release();
        second.release();

        kept.acknowledge(1);
        kept.acknowledge(1);
        kept.acknowledge(0);

        assertThat(first.refCnt()).isZero();
        assertThat(second.refCnt()).isOne();
        assertThat(resent()).containsExactly(2);
        assertThat(kept.bytes()).isEqualTo(30);
        assertThat(kept.isKeptFrom(0)).isFalse();
        assertThat(kept.isKeptFrom(1)).isTrue();
        assertThat(kept.add(frame(20, 3))).isEqualTo(3);
    }

    @Test
    void moreThanWasSentCannotBeReceived() {
        kept.add(frame(20, 1));
        kept.add(frame(20, 2));
        kept.acknowledge(1);

        assertThatThrownBy(() -> kept.acknowledge(3))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("3 frames were received, and 2 sent");
        kept.acknowledge(2);
        assertThat(kept.count()).isZero();
    }

    @Test
    void oldestAreDroppedAboveTheLimitOfBytes() {
        kept.add(frame(40, 1));
        kept.add(frame(30, 2));
        kept.add(frame(30, 3));
        assertThat(resent()).as("as many bytes as there may be").containsExactly(1, 2, 3);

        kept.add(frame(31, 4));

        assertThat(resent()).containsExactly(2, 3, 4);
        assertThat(kept.isKeptFrom(0)).isFalse();
        assertThat(kept.bytes()).isEqualTo(91);
    }

    @Test
    void oldestAreDroppedAboveTheLimitOfFrames() {
        for (int i = 1; i <= 4; i++) {
            kept.add(frame(5, i));
        }
        assertThat(resent()).containsExactly(1, 2, 3, 4);

        assertThat(kept.add(frame(5, 5))).isEqualTo(5);

        assertThat(resent()).containsExactly(2, 3, 4, 5);
    }

    @Test
    void lastFrameIsKeptHoweverLargeItIs() {
        kept.add(frame(20, 1));
        kept.add(frame(200, 2));

        assertThat(resent()).containsExactly(2);
    }

    @Test
    void frameOfWhichAPartWasSentIsSentAgainAsAWhole() {
        ByteBuf small = frame(20, 1);
        Value value = Value.of(new byte[20_000]);
        ByteBuf large = LargeFrame.of(Unpooled.buffer().writeInt(8 + 20_000).writeLong(7), value);
        Unacknowledged many = new Unacknowledged(1 << 20, 4);
        many.add(small);
        many.add(large);
        small.skipBytes(10);
        large.skipBytes(10_000);

        List<ByteBuf> again = new ArrayList<>();
        many.resend(again::add);

        assertThat(again.get(0).readableBytes()).isEqualTo(20);
        assertThat(again.get(1).readableBytes()).isEqualTo(20_012);
        assertThat(again.get(1).readInt()).isEqualTo(20_008);
        assertThat(again.get(1).readLong()).isEqualTo(7);
        assertThat(((LargeFrame) again.get(1)).values()).containsExactly(value);
        assertThat(((LargeFrame) again.get(1)).ownBytes()).isEqualTo(12);
        assertThat(ByteBufUtil.getBytes(again.get(1))).isEqualTo(value.bytes());
    }

    @Test
    void nothingIsKeptOfASessionThatHasEnded() {
        ByteBuf frame = frame(20, 1);
        kept.add(frame);
        kept.add(frame(20, 2));
        frame.release();

        kept.clear();

        assertThat(frame.refCnt()).isZero();
        assertThat(kept.count()).isZero();
        assertThat(kept.bytes()).isZero();
    }
}

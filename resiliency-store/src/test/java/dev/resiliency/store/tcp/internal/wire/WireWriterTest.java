package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is written at the limits of a frame. */
class WireWriterTest {
    private static final int HEADER = 13;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    private ByteBuf frame(int frameBytes, int listEntries, Consumer<WireWriter> body) {
        return Frames.frame(allocator, new WireLimits(frameBytes, listEntries), Frames.REPLY, 1, body);
    }

    private void assertRefused(int frameBytes, Consumer<WireWriter> body) {
        assertThatThrownBy(() -> frame(frameBytes, 10, body))
                .isInstanceOf(StoreRequestException.class)
                .hasMessageEndingWith(
                        " bytes; the limit is %d (max-frame-bytes): request less at once".formatted(frameBytes));
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void frameMayBeExactlyAsLargeAsItsLimit() {
        Value small = Value.of(new byte[86]);
        ByteBuf frame = frame(HEADER + 87, 10, out -> out.value(small));
        assertThat(frame.readableBytes()).isEqualTo(HEADER + 87);
        assertThat(frame.getInt(0)).isEqualTo(HEADER + 87 - Frames.LENGTH_BYTES);
        frame.release();

        assertRefused(HEADER + 86, out -> out.value(small));
        assertRefused(HEADER + 4, out -> out.byteOf(1).shortOf(2).flag(true).varint(1));
    }

    @Test
    void largeValuesCountAsWell() {
        Value large = Value.of(new byte[17_000]);
        int bytes = HEADER + 2 * (3 + 17_000);
        ByteBuf frame = frame(bytes, 10, out -> out.value(large).value(large));

        assertThat(frame.readableBytes()).isEqualTo(bytes);
        assertThat(((LargeFrame) frame).values()).containsExactly(large, large);
        assertThat(((LargeFrame) frame).ownBytes()).isEqualTo(HEADER + 2 * 3);
        frame.release();
        assertRefused(bytes - 1, out -> out.value(large).value(large));
    }

    @Test
    void smallFrameIsInDirectMemoryAndALargeOneOnTheHeap() {
        byte[] half = new byte[LargeFrame.LARGE_BYTES / 2 - 10];
        ByteBuf small = frame(100_000, 10, out -> out.value(Value.of(half)));
        assertThat(small.isDirect()).isTrue();
        small.release();

        ByteBuf large = frame(
                100_000,
                10,
                out -> out.value(Value.of(half)).value(Value.of(half)).text("x".repeat(30)));
        assertThat(large.isDirect()).isFalse();
        assertThat(large).isNotInstanceOf(LargeFrame.class);
        large.release();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void valueIsLargeIfItHasMoreThanSixteenKilobytes() {
        assertThat(LargeFrame.isLarge(Value.of(new byte[16 << 10]))).isFalse();
        assertThat(LargeFrame.isLarge(Value.of(new byte[(16 << 10) + 1]))).isTrue();
    }

    @Test
    void listsMayHaveSoManyEntriesTogether() {
        ByteBuf frame = frame(100, 3, out -> out.list(List.of("a"), out::text).list(List.of("b", "c"), out::text));
        assertThat(ByteBufUtil.hexDump(frame, HEADER, frame.readableBytes() - HEADER))
                .isEqualTo("01016102" + "01620163");
        frame.release();

        assertThatThrownBy(() ->
                        frame(100, 2, out -> out.list(List.of("a"), out::text).list(List.of("b", "c"), out::text)))
                .isInstanceOf(StoreRequestException.class)
                .hasMessage("an answer with lists of 3 entries is over the limit of 2 (max-list-entries)");
    }

    @Test
    void setWithATooLargeMemberIsNotWritten() {
        assertThatThrownBy(() -> frame(100, 2, out -> out.indexSet(IndexSet.of(Limits.MEMBERS))))
                .isInstanceOf(StoreRequestException.class);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }
}

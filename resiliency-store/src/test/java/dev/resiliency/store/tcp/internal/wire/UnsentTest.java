package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

/** A server whose heap has room for 100,000 bytes that are still to be sent. */
class UnsentTest {
    private final Unsent unsent = new Unsent(8 * 100_000, 100);
    private final Value value = Value.of(new byte[40_000]);

    private static ByteBuf bytes(int size) {
        return Unpooled.buffer(size).writeZero(size);
    }

    private static ByteBuf frame(Value value) {
        return LargeFrame.of(bytes(10), value);
    }

    private void assertRoom(ByteBuf frame) {
        assertThatCode(() -> unsent.check(frame)).doesNotThrowAnyException();
    }

    private void assertNoRoom(ByteBuf frame, String message) {
        assertThatThrownBy(() -> unsent.check(frame))
                .isInstanceOf(StoreRequestException.class)
                .hasMessage(message);
    }

    @Test
    void partOfTheHeapMayBeUnsentButAlwaysOneFrameOfTheLargestSize() {
        assertRoom(bytes(100_000));
        assertNoRoom(
                bytes(100_001),
                "an answer of 100001 bytes must wait: the store still has 0 to send to its clients, and room for 100000;"
                        + " try again");
        assertThatCode(() -> new Unsent(8, 200_000).check(bytes(200_000))).doesNotThrowAnyException();
    }

    @Test
    void whatWaitsAlreadyTakesRoom() {
        unsent.add(bytes(60_000));
        assertThat(unsent.bytes()).isEqualTo(60_000);

        assertRoom(bytes(40_000));
        assertNoRoom(
                bytes(40_001),
                "an answer of 40001 bytes must wait: the store still has 60000 to send to its clients, and room for"
                        + " 100000; try again");
    }

    @Test
    void smallFrameIsNeverRefused() {
        unsent.add(bytes(100_000));

        assertRoom(bytes(LargeFrame.LARGE_BYTES));
        assertThatThrownBy(() -> unsent.check(bytes(LargeFrame.LARGE_BYTES + 1)))
                .isInstanceOf(StoreRequestException.class);
    }

    @Test
    void valueThatWaitsAnywayTakesNoMoreRoom() {
        unsent.add(bytes(59_990));
        assertRoom(frame(value));
        unsent.add(frame(value));
        assertThat(unsent.bytes()).isEqualTo(100_000);
        assertNoRoom(
                frame(value),
                "an answer of 40010 bytes must wait: the store still has 100000 to send to its clients, and room for"
                        + " 100000; try again");

        unsent.remove(bytes(59_990));

        assertRoom(frame(value));
        assertRoom(frame(Value.of(new byte[59_980])));
        assertThatThrownBy(() -> unsent.check(frame(Value.of(new byte[59_981]))))
                .isInstanceOf(StoreRequestException.class);
    }

    @Test
    void valueIsForgottenWithTheLastFrameThatHasIt() {
        ByteBuf first = frame(value);
        ByteBuf second = frame(value);
        unsent.add(first);
        unsent.add(second);
        assertThat(unsent.bytes()).isEqualTo(40_020);

        unsent.remove(first);
        assertThat(unsent.bytes()).isEqualTo(40_010);
        unsent.remove(second);
        assertThat(unsent.bytes()).isZero();
    }

    @Test
    void serverIsFullAboveItsLimit() {
        unsent.add(bytes(100_000));
        assertThat(unsent.isFull()).isFalse();

        unsent.add(bytes(1));

        assertThat(unsent.isFull()).isTrue();
    }
}

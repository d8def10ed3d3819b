package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.BarrierOverflowException;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.wire.RandomOperations.NumberedListener;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {

    private static ByteBuf written(Consumer<WireWriter> write) {
        ByteBuf bytes = Unpooled.buffer();
        write.accept(new WireWriter(bytes, WireLimits.DEFAULTS).with(RandomOperations.IDS));
        return bytes;
    }

    private static WireReader reader(ByteBuf bytes) {
        return new WireReader(bytes, WireLimits.DEFAULTS, (id, ofPrefix) -> new NumberedListener(id));
    }

    static Stream<Arguments> operations() {
        Barrier barrier =
                new Barrier("b", IndexSet.of(0, 1, 2, 9), null, "x", true, List.of(new Operation.Add("n", 1)));
        return Stream.of(
                Arguments.of(new Operation.Set("key", Value.of("value")), "01 036b6579 0576616c7565"),
                Arguments.of(new Operation.Get("k"), "02 016b"),
                Arguments.of(new Operation.Add("k", -2), "03 016b fffffffffffffffe"),
                Arguments.of(new Operation.Append("k", Value.of("v"), 2), "04 016b 0176 0000000000000002"),
                Arguments.of(new Operation.CompareAndSet("k", Value.empty(), Value.of("v")), "05 016b 00 0176"),
                Arguments.of(new Operation.Claim("k", Value.of("v")), "06 016b 0176"),
                Arguments.of(new Operation.Check(List.of("a", "b")), "07 02 0161 0162"),
                Arguments.of(new Operation.Await(List.of()), "08 00"),
                Arguments.of(new Operation.Delete("k"), "09 016b"),
                Arguments.of(new Operation.DeleteAll("k"), "0a 016b"),
                Arguments.of(new Operation.MultiGet(List.of("a")), "0b 01 0161"),
                Arguments.of(new Operation.MultiSet(Map.of("a", Value.of("v"))), "0c 01 0161 0176"),
                Arguments.of(new Operation.KeyCount(""), "0d 00"),
                Arguments.of(new Operation.Keys("p"), "0e 0170"),
                Arguments.of(new Operation.AddToSet("k", IndexSet.range(300, 600)), "0f 016b 01 ac02 ab02"),
                Arguments.of(new Operation.Members("k"), "10 016b"),
                Arguments.of(
                        new Operation.Arrive(barrier, IndexSet.of(9), true),
                        "11 0162 01 02 0002 0600 00 01 0178 01 01 03 016e 0000000000000001 01 0900 01"),
                Arguments.of(new Operation.Watch("k", new NumberedListener(5)), "12 016b 0000000000000005"),
                Arguments.of(new Operation.Unwatch("k", new NumberedListener(5)), "13 016b 0000000000000005"),
                Arguments.of(new Operation.LastWill(List.of(new Operation.Delete("k"))), "14 01 09 016b"),
                Arguments.of(new Operation.Lease(Duration.ofSeconds(1)), "15 000000003b9aca00"),
                Arguments.of(new Operation.Renew(-1, Value.of("ab")), "16 ffffffffffffffff 02 6162"),
                Arguments.of(new Operation.WatchPrefix("p", new NumberedListener(5)), "17 0170 0000000000000005"),
                Arguments.of(new Operation.UnwatchPrefix("p", new NumberedListener(5)), "18 0170 0000000000000005"),
                Arguments.of(new Operation.Confirm("k", IndexSet.range(300, 600)), "19 016b 01 ac02 ab02"),
                Arguments.of(new Operation.GetPart("k", 300), "1a 016b ac02"));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void operationsHaveTheseBytes(Operation<?> operation, String bytes) {
        String hex = bytes.replace(" ", "");

        assertThat(ByteBufUtil.hexDump(written(out -> OperationCodec.writeAll(List.of(operation), out))))
                .isEqualTo("01" + hex);
        assertThat(OperationCodec.readAll(reader(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump("01" + hex)))))
                .isEqualTo(List.of(operation));
    }

    @Test
    void everyOperationHasItsBytes() {
        List<Class<?>> tested = operations()
                .<Class<?>>map(arguments -> arguments.get()[0].getClass())
                .toList();

        assertThat(tested).hasSameElementsAs(List.of(Operation.class.getPermittedSubclasses()));
    }

    @Test
    void framesHaveTheseBytes() {
        ByteBuf frame = Frames.frame(
                Unpooled.buffer().alloc(),
                Frames.REQUEST,
                258,
                body -> OperationCodec.writeAll(
                        List.of(new Operation.Get("k")),
                        body.duration(Duration.ofNanos(5)).with(RandomOperations.IDS)));

        assertThat(ByteBufUtil.hexDump(frame))
                .isEqualTo("00000015 02 0000000000000102 0000000000000005 01 02016b".replace(" ", ""));
        frame.release();
        ByteBuf preface = Unpooled.buffer();
        Frames.writePreface(preface);
        assertThat(ByteBufUtil.hexDump(preface)).isEqualTo("52534c5900010001");
    }

    @Test
    void resultsHaveTheseBytes() {
        List<Object> results = Arrays.asList(
                null, true, 7L, Value.of("v"), IndexSet.of(1), List.of("a", "b"), List.of(), List.of(Value.of("w")));
        String hex = "08 00 0101 020000000000000007 030176 05010100 0602040161040162 0600 0601030177".replace(" ", "");

        assertThat(ByteBufUtil.hexDump(written(out -> ResultCodec.writeAll(results, out))))
                .isEqualTo(hex);
        assertThat(ResultCodec.readAll(reader(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex)))))
                .isEqualTo(results);
    }

    @Test
    void changesSurviveARoundTrip() {
        for (Change change : List.of(
                new Change.Written("key", Value.of("v")),
                new Change.Joined("key", IndexSet.of(1, 5)),
                new Change.Deleted("key"))) {
            ByteBuf bytes = written(out -> ResultCodec.writeChange(change, out));

            assertThat(ResultCodec.readChange("key", reader(bytes))).isEqualTo(change);
        }
    }

    @Test
    void failuresSurviveARoundTrip() {
        Duration timeout = Duration.ofMillis(1500);
        for (StoreException failure : List.of(
                new StoreException("text"),
                new StoreRequestException("text"),
                new StoreTimeoutException("text", timeout),
                new BarrierTimeoutException("b", IndexSet.of(1), IndexSet.of(1, 2), timeout),
                new BarrierOverflowException("b", IndexSet.of(3), IndexSet.of(1, 2), IndexSet.of(1)),
                new SessionExpiredException("text"))) {
            ByteBuf bytes = written(out -> FailureCodec.write(failure, out));

            assertThat(FailureCodec.read(reader(bytes)))
                    .hasSameClassAs(failure)
                    .hasMessage(failure.getMessage())
                    .usingRecursiveComparison()
                    .ignoringFields("stackTrace", "cause", "suppressedExceptions")
                    .isEqualTo(failure);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void everythingWrittenIsReadBack(long seed) {
        RandomOperations operations = new RandomOperations(seed);
        for (int i = 0; i < 1000; i++) {
            List<Operation<?>> batch = operations.list();
            WireReader reader = reader(written(out -> OperationCodec.writeAll(batch, out)));

            assertThat(OperationCodec.readAll(reader)).isEqualTo(batch);
            reader.end();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void garbageIsReadOrRejected(long seed) {
        Random random = new Random(seed);
        RandomOperations operations = new RandomOperations(seed);
        for (int i = 0; i < 1000; i++) {
            byte[] bytes = ByteBufUtil.getBytes(written(out -> OperationCodec.writeAll(operations.list(), out)));
            mutate(bytes, random);
            ByteBuf garbage = Unpooled.wrappedBuffer(bytes, 0, random.nextInt(bytes.length + 1));
            survives(() -> OperationCodec.readAll(reader(garbage.duplicate())));
            survives(() -> ResultCodec.readAll(reader(garbage.duplicate())));
            survives(() -> ResultCodec.readChange("key", reader(garbage.duplicate())));
            survives(() -> FailureCodec.read(reader(garbage.duplicate())));
        }
    }

    private static void mutate(byte[] bytes, Random random) {
        for (int times = random.nextInt(8); times > 0; times--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
    }

    private static void survives(Runnable read) {
        try {
            read.run();
        } catch (ProtocolException refused) {
            assertThat(refused).hasMessageNotContaining("null");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ffffffff7f", // more elements than there are bytes
                "ffffffffff01", // a varint without end
                "01ff", // no such operation
                "0102ffffffff07", // a key longer than the frame
                "010f016b01ffffffff0700", // a member of 2^31
                "011101620000000000000000", // a barrier that expects no one
                "0114010200", // a last will that waits
            })
    void falseClaimsAreRejected(String hex) {
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));

        assertThatThrownBy(() -> OperationCodec.readAll(reader(bytes))).isInstanceOf(ProtocolException.class);
    }

    @Test
    void nestingHasALimit() {
        ByteBuf bytes = Unpooled.buffer();
        for (int i = 0; i < 1000; i++) {
            bytes.writeByte(1).writeByte(20);
        }

        assertThatThrownBy(() -> OperationCodec.readAll(reader(bytes)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("nested more than 8 levels");
    }

    @Test
    void setsThatExpandTooFarAreRejected() {
        ByteBuf bytes = written(out -> out.list(
                Collections.nCopies(2000, 0), unused -> out.byteOf(15).text("").indexSet(IndexSet.of((1 << 20) - 1))));

        assertThatThrownBy(() -> OperationCodec.readAll(reader(bytes)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("too large");
    }

    @Test
    void requestOverTheFrameLimitIsRejected() {
        Value value = Value.of(new byte[8 << 20]);

        assertThatThrownBy(() -> Frames.frame(
                        Unpooled.buffer().alloc(),
                        Frames.REQUEST,
                        1,
                        out -> out.value(value).value(value)))
                .isInstanceOf(StoreRequestException.class)
                .hasMessageContaining("the limit is 16777216");
    }

    @Test
    void listOverTheLimitIsRejected() {
        assertThatThrownBy(() -> written(out -> out.list(Collections.nCopies(200_000, "k"), out::text)))
                .isInstanceOf(StoreRequestException.class)
                .hasMessageContaining("200000 entries is over the limit of 131072 (max-list-entries)");
    }
}

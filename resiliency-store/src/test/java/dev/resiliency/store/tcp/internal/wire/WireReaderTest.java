package dev.resiliency.store.tcp.internal.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.internal.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The elements of frames at their limits. */
class WireReaderTest {
    private static WireReader reader(String hex) {
        return new WireReader(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex.replace(" ", ""))));
    }

    private static WireReader reader(String hex, int listEntries) {
        return new WireReader(
                Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex.replace(" ", ""))),
                new WireLimits(100, listEntries),
                null);
    }

    @ParameterizedTest
    @CsvSource({
        "00, 0",
        "01, 1",
        "7f, 127",
        "8001, 128",
        "ff7f, 16383",
        "808001, 16384",
        "ffffff7f, 268435455",
        "ffffffff07, 2147483647"
    })
    void varintsHaveSevenBitsInEachByte(String hex, int value) {
        WireReader reader = reader(hex);

        assertThat(reader.varint()).isEqualTo(value);
        reader.end();
        ByteBuf written = Unpooled.buffer();
        new WireWriter(written, WireLimits.DEFAULTS).varint(value);
        assertThat(ByteBufUtil.hexDump(written)).isEqualTo(hex);
    }

    @Test
    void varintsOfMoreThan31BitsAreRejected() {
        assertThatThrownBy(() -> reader("ffffffff08").varint())
                .isInstanceOf(ProtocolException.class)
                .hasMessage("a varint is over 2^31");
        assertThatThrownBy(() -> reader("808080808000").varint())
                .isInstanceOf(ProtocolException.class)
                .hasMessage("a varint does not end");
    }

    @Test
    void numbersAreBigEndian() {
        WireReader reader = reader("ff 0102 0000000000000102 000000003b9aca00");

        assertThat(reader.byteOf()).isEqualTo(255);
        assertThat(reader.shortOf()).isEqualTo(258);
        assertThat(reader.number()).isEqualTo(258);
        assertThat(reader.duration()).hasSeconds(1);
        assertThat(reader.remaining()).isZero();
        reader.end();
    }

    @Test
    void flagIsZeroOrOne() {
        assertThat(reader("00").flag()).isFalse();
        assertThat(reader("01").flag()).isTrue();
        assertThatThrownBy(() -> reader("02").flag())
                .isInstanceOf(ProtocolException.class)
                .hasMessage("2 instead of 0 or 1");
    }

    @Test
    void bytesThatAreMissingOrLeftAreCounted() {
        assertThatThrownBy(() -> reader("0102").number())
                .isInstanceOf(ProtocolException.class)
                .hasMessage("a frame ends too early: 8 more bytes expected, 2 left");
        assertThatThrownBy(() -> reader("0102").end())
                .isInstanceOf(ProtocolException.class)
                .hasMessage("a frame has 2 bytes too many");
    }

    @Test
    void onlyTheBytesOfTheFrameAreRead() {
        byte[] bytes = {9, 9, 9, 2, 'a', 'b', 9};
        for (ByteBuf whole :
                List.of(Unpooled.wrappedBuffer(bytes), Unpooled.directBuffer().writeBytes(bytes))) {
            WireReader reader = new WireReader(whole.slice(1, 5).skipBytes(2));

            assertThat(reader.text()).isEqualTo("ab");
            reader.end();
            whole.release();
        }
    }

    @Test
    void entriesOfAllListsAreCountedTogether() {
        WireReader reader = reader("01 0161 02 0162 0163", 3);
        reader.list(WireReader::text);
        assertThat(reader.list(WireReader::text)).isEqualTo(List.of("b", "c"));
        assertThat(reader.listEntries()).isEqualTo(3);

        WireReader limited = reader("01 0161 02 0162 0163", 2);
        limited.list(WireReader::text);
        assertThatThrownBy(() -> limited.list(WireReader::text))
                .isInstanceOf(StoreRequestException.class)
                .hasMessageContaining("lists of 3 entries is over the limit of 2 (max-list-entries)");
    }

    @Test
    void listHasNoMoreEntriesThanBytes() {
        assertThat(reader("02 00 00").list(WireReader::byteOf)).isEqualTo(List.of(0, 0));
        assertThatThrownBy(() -> reader("03 00 00").listSize())
                .isInstanceOf(ProtocolException.class)
                .hasMessage("a frame ends too early: 3 more bytes expected, 2 left");
        assertThatThrownBy(() -> reader("02 00 00 00").indexSet())
                .as("a run has two bytes")
                .isInstanceOf(ProtocolException.class)
                .hasMessage("a frame ends too early: 4 more bytes expected, 3 left");
    }

    @Test
    void operationsAreNestedEightLevelsDeep() {
        assertThat(nested(8)).isEqualTo(8);
        assertThatThrownBy(() -> nested(9))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("operations are nested more than 8 levels deep");
        WireReader reader = reader("");
        for (int i = 0; i < 100; i++) {
            assertThat(nested(reader, 1)).as("one after the other").isOne();
        }
    }

    private static int nested(int levels) {
        return nested(reader(""), levels);
    }

    private static int nested(WireReader reader, int levels) {
        return levels == 0 ? 0 : reader.nested(in -> 1 + nested(in, levels - 1));
    }

    @Test
    void largestMemberOfASetIsTheLastThatThereMayBe() {
        IndexSet set = IndexSet.of(0, 5, Limits.MEMBERS - 1);
        ByteBuf bytes = Unpooled.buffer();
        new WireWriter(bytes, WireLimits.DEFAULTS).indexSet(set);

        assertThat(new WireReader(bytes).indexSet()).isEqualTo(set);
        assertThatThrownBy(() -> reader("01 00 ffffffff07").indexSet())
                .isInstanceOf(ProtocolException.class)
                .hasMessage("an index set has the member 2147483647");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "key", "größe", "\uFFFD", "a\uFFFDb", "\uD83D\uDE00"})
    void textIsReadAsItWasWritten(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        byte[] among = new byte[bytes.length + 2];
        System.arraycopy(bytes, 0, among, 1, bytes.length);

        assertThat(Utf8.decode(among, 1, bytes.length)).isEqualTo(text);
    }

    @Test
    void textThatIsNotUtf8IsRejected() {
        assertThatThrownBy(() -> Utf8.decode(new byte[] {'a', (byte) 0xFF, 'b'}, 0, 3))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("a text of 3 bytes is not UTF-8");
    }
}

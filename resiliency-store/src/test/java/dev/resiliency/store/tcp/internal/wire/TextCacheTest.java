package dev.resiliency.store.tcp.internal.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextCacheTest {
    private final TextCache texts = new TextCache();

    private String read(String text) {
        byte[] bytes = ("<" + text + ">").getBytes(UTF_8);
        return texts.text(bytes, 1, bytes.length - 2);
    }

    @Test
    void equalTextsAreOneString() {
        String first = read("call-0/7/stopped");

        assertThat(read("call-0/7/stopped")).isSameAs(first).isEqualTo("call-0/7/stopped");
    }

    @Test
    void emptyTextIsReadFromAnEmptyCache() {
        assertThat(read("")).isEmpty();
    }

    @Test
    void mostOfAHundredKeysHaveAPlaceOfTheirOwn() {
        Set<String> strings = Collections.newSetFromMap(new IdentityHashMap<>());
        strings.addAll(keys());

        strings.addAll(keys());

        assertThat(strings).hasSizeLessThan(120);
    }

    private List<String> keys() {
        return IntStream.range(0, 100)
                .mapToObj(i -> read("call-0/" + i + "/stopped"))
                .toList();
    }

    @Test
    void longTextTakesNoPlace() {
        String longest = "x".repeat(64);

        assertThat(read(longest)).isSameAs(read(longest));
        assertThat(read(longest + "x")).isEqualTo(read(longest + "x")).isNotSameAs(read(longest + "x"));
    }

    @Test
    void textsWithTheSameHashAreDistinguished() {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());

        assertThat(read("Aa")).isEqualTo("Aa");
        assertThat(read("BB")).isEqualTo("BB");
        assertThat(read("Aa")).isEqualTo("Aa");
    }

    @Test
    void bytesThatAreNoTextAreRefusedHoweverOftenAndHoweverLong() {
        assertThat(read("\uFFFD ключ")).isEqualTo("\uFFFD ключ");
        for (int length : new int[] {1, 1, 80}) {
            byte[] bytes = "k".repeat(length).getBytes(UTF_8);
            bytes[length - 1] = (byte) 0xFF;
            assertThatExceptionOfType(ProtocolException.class)
                    .isThrownBy(() -> texts.text(bytes, 0, length))
                    .withMessage("a text of %d bytes is not UTF-8".formatted(length));
        }
    }

    @Test
    void anyTextIsReadAsItIs() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            String text =
                    (random.nextBoolean() ? "k/" : "ключ-") + "x".repeat(random.nextInt(80)) + random.nextInt(10_000);
            assertThat(read(text)).isEqualTo(text);
        }
        assertThat(read("")).isEmpty();
    }
}

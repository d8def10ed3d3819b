package dev.resiliency.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.spi.guard.Printable;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a person reads of keys and values, which any client may have written. */
class PrintableTest {
    private static final String HOSTILE = "a\nb\r\tc\u001b[2J\u0085\u2028\u202e\ud800d";
    private static final String ESCAPED = "a\\nb\\r\\tc\\u001b[2J\\u0085\\u2028\\u202e\\ud800d";

    @Test
    void controlAndFormatCharactersAreEscaped() {
        assertThat(Printable.of(HOSTILE)).isEqualTo(ESCAPED);
        assertThat(Printable.of("\udbff\udfff \ud83d\ude00")).isEqualTo("\udbff\udfff \ud83d\ude00");
    }

    @Test
    void textWithoutThemStaysTheSame() {
        String text = "Zähler 7: \\n 日本 😀 ~";

        assertThat(Printable.of(text)).isSameAs(text);
    }

    @Test
    void longTextIsCutOffBetweenCharacters() {
        assertThat(Printable.of("abcdef", 6)).isEqualTo("abcdef");
        assertThat(Printable.of("abcdefg", 6)).isEqualTo("abcdef…");
        assertThat(Printable.of("abc😀d", 4)).isEqualTo("abc…");
        assertThat(Printable.of("\n\n\n", 2)).isEqualTo("\\n\\n…");
    }

    @Test
    void valuePrintsTheStartOfItsTextInOneLine() {
        assertThat(Value.of("a\nb")).hasToString("a\\nb");
        assertThat(Value.of("é".repeat(64))).hasToString("é".repeat(64));
        assertThat(Value.of("😀".repeat(33))).hasToString("😀".repeat(32) + "…");
        assertThat(Value.of("x".repeat(8 << 20))).hasToString("x".repeat(64) + "…");
        assertThat(Value.of("\u001b]0;".getBytes(StandardCharsets.UTF_8))).hasToString("\\u001b]0;");
    }

    @Test
    void exceptionsNameKeysInOneLine() {
        assertThat(new StoreException(HOSTILE)).hasMessage(ESCAPED);
        assertThat(new StoreRequestException(HOSTILE)).hasMessage(ESCAPED);
        assertThat(new StoreTimeoutException(HOSTILE, java.time.Duration.ZERO)).hasMessage(ESCAPED);
        assertThat(new BarrierTimeoutException(
                        HOSTILE, IndexSet.empty(), IndexSet.of(1), java.time.Duration.ofSeconds(1)))
                .hasMessage("barrier " + ESCAPED + ": 0 of 1 arrived after 1.0 s; missing {1}");
    }
}

package dev.resiliency.store.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.resiliency.store.Value;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartsTest {
    private static final Value VALUE = Parts.of(List.of(Value.of("a"), Value.empty(), Value.of("bcd")));

    @Test
    void everyPartCanBeReadAlone() {
        assertThat(Parts.get(VALUE, 0)).isEqualTo(Value.of("a"));
        assertThat(Parts.get(VALUE, 1)).isEqualTo(Value.empty());
        assertThat(Parts.get(VALUE, 2)).isEqualTo(Value.of("bcd"));
    }

    @Test
    void partBeyondTheLastIsEmpty() {
        assertThat(Parts.get(VALUE, 3)).isEqualTo(Value.empty());
        assertThat(Parts.get(VALUE, Integer.MAX_VALUE)).isEqualTo(Value.empty());
        assertThat(Parts.get(Parts.of(List.of()), 0)).isEqualTo(Value.empty());
    }

    @Test
    void negativePartIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Parts.get(VALUE, -1))
                .withMessage("there is no part -1");
    }

    @Test
    void partsOverTwoGibibytesAreRejected() {
        List<Value> parts = Collections.nCopies(300, Value.of(new byte[8 << 20]));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Parts.of(parts))
                .withMessage("a value of 300 parts would have 2516583604 bytes, over 2 GiB");
    }

    @Test
    void formatIsFixed() {
        assertThat(VALUE.bytes()).containsExactly(0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4, 'a', 'b', 'c', 'd');
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "any value that somebody has set", "\0\0\0\1\0\0\0\5abcd", "\0\0\0\2\0\0\0\0"})
    void valueWithoutPartsIsRejected(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Parts.get(Value.of(text), 0));
    }

    @Test
    void neverReadsBeyondTheBytes() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            ByteBuffer bytes = ByteBuffer.allocate(4 * random.nextInt(8));
            while (bytes.hasRemaining()) {
                bytes.putInt(random.nextInt(12) - 2);
            }
            Value value = Value.of(bytes.array());
            try {
                assertThat(Parts.get(value, random.nextInt(4)).size()).isLessThanOrEqualTo(value.size());
            } catch (IllegalArgumentException expected) {
                assertThat(expected).hasMessageContaining("a value of " + value.size() + " bytes");
            }
        }
    }
}

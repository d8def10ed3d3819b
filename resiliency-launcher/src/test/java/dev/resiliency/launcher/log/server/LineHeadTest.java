package dev.resiliency.launcher.log.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineHeadTest {
    private static String text(LineHead head) {
        ByteBuffer buffer = ByteBuffer.allocate(head.length());
        head.putTo(buffer);
        return new String(buffer.array(), UTF_8);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 95, 8998, 999_999_999_990L, Long.MAX_VALUE - 2000})
    void numbersFollowOneAnother(long first) {
        LineHead head = new LineHead("host1", first);
        for (long number = first; number < first + 1100; number++) {
            assertThat(text(head)).isEqualTo("host1:" + number + " ");
            head.advance();
        }
    }
}

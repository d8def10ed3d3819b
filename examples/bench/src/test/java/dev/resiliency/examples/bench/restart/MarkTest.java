package dev.resiliency.examples.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MarkTest {
    static Stream<Mark> marks() {
        return Stream.of(
                Mark.now(Mark.Kind.CONNECTED, 0),
                Mark.entered(3, 8),
                new Mark(Mark.Kind.RESTARTED, 2, 11, Map.of("ABORT", 1L, "STOP", 2L)),
                new Mark(Mark.Kind.RESTARTED, 2, 11, Map.of()));
    }

    @ParameterizedTest
    @MethodSource("marks")
    void lineOfAMarkIsReadAsTheSameMark(Mark mark) {
        assertThat(Mark.parse(mark.toLine())).isEqualTo(mark);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ENTERED 1",
                "ENTERED 1 8 x",
                "ENTERED 1 8 x=y",
                "OpenJDK 64-Bit Server VM warning: low on memory"
            })
    void otherLinesAreNoMarks(String line) {
        assertThatThrownBy(() -> Mark.parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a mark: " + line);
    }

    @Test
    void lineIsReadable() {
        assertThat(new Mark(Mark.Kind.RESTARTED, 2, 11, Map.of("STOP", 7L, "ABORT", 1L)).toLine())
                .isEqualTo("RESTARTED 2 11 ABORT=1 STOP=7");
    }
}

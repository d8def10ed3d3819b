package dev.resiliency.examples.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.examples.bench.measure.Stage;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MarkTest {
    static Stream<Mark> marks() {
        return Stream.of(
                new Mark.StageMark(Stage.CONNECTED, 5),
                new Mark.EntryMark(3, 8, 7),
                new Mark.ReadyMark(Mark.Milestone.FIRST_STEP, 3, 8),
                new Mark.FaultMark(9),
                new Mark.RestartMark(2, 11, 13, Map.of("ABORT", 1L, "STOP", 2L)),
                new Mark.RestartMark(2, 11, 13, Map.of()));
    }

    @ParameterizedTest
    @MethodSource("marks")
    void lineOfAMarkIsReadAsTheSameMark(Mark mark) {
        assertThat(Mark.parse(mark.toLine())).isEqualTo(mark);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "entered 1", "entered 1 8 x", "OpenJDK 64-Bit Server VM warning: low on memory"})
    void otherLinesAreNoMarks(String line) {
        assertThatThrownBy(() -> Mark.parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a mark: " + line);
    }

    @Test
    void lineIsReadable() {
        assertThat(new Mark.RestartMark(2, 11, 13, Map.of("ABORT", 1L)).toLine())
                .isEqualTo("restarted 2 11 13 ABORT=1");
    }
}

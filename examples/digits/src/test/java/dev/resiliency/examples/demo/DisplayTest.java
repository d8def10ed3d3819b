package dev.resiliency.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.demo.DemoEvent.Measured;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DisplayTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, false, UTF_8);
    private final Board board = Events.board(2, 2, false, "kill:1@50");

    @Test
    void tableIsRedrawnInPlaceAndTheStoryStaysAboveIt() {
        Display display = new Display(out, true);
        board.apply(Events.entered(0, 0, 0));
        board.apply(Events.entered(1, 0, 0));
        board.apply(Events.report(0, 0, new Measured(50, 0.5, 0.9)));
        display.update(board, Duration.ofMillis(1500));
        String first = bytes.toString(UTF_8);
        bytes.reset();
        board.apply(Events.fault(1, "kill:1@50", 50, 0));
        display.update(board, Duration.ofMillis(2500));
        String second = bytes.toString(UTF_8);

        assertThat(first)
                .contains("training")
                .contains("0.5000")
                .contains("90.0 %")
                .contains("██████████░░░░░░░░░░");
        long tableLines = first.lines().count();
        assertThat(second)
                .startsWith("\u001b[" + tableLines + "A")
                .contains("rank 1 at step 50, on purpose: SIGKILL ends the process")
                .containsPattern("1  .*lost");
    }
}

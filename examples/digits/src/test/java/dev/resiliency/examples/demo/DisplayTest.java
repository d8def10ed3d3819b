package dev.resiliency.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.demo.DemoEvent.Measured;
import dev.resiliency.examples.demo.DemoEvent.Waits;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DisplayTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, false, UTF_8);
    private final Board board = Events.board(2, 2, false, "kill:1@50");

    @Test
    void plainLinesShowTheStoryOnceAndEveryTenthOfTheTraining() {
        Display display = new Display(out, false);
        board.apply(Events.entered(1, 0, 0));
        for (int step = 5; step <= 30; step += 5) {
            board.apply(Events.report(0, 0, new Measured(step, 0.5, 0.9)));
            display.update(board, Duration.ofMillis(1500));
        }
        board.apply(Events.fault(1, "kill:1@50", 50, 0));
        display.update(board, Duration.ofMillis(2500));
        display.update(board, Duration.ofMillis(3500));

        assertThat(bytes.toString(UTF_8)).isEqualToNormalizingNewlines("""
            [  1.5 s] step 10 of 100, loss 0.5000, accuracy 90.0 %
            [  1.5 s] step 20 of 100, loss 0.5000, accuracy 90.0 %
            [  1.5 s] step 30 of 100, loss 0.5000, accuracy 90.0 %
            [  2.5 s] rank 1 at step 50: SIGKILL ends the process
            """);
    }

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
                .contains("rank 1 at step 50: SIGKILL ends the process")
                .containsPattern("1  .*lost");
    }

    @Test
    void replacementHasTheRowOfItsRankWithItsNumber() {
        board.apply(Events.entered(1, 0, 0));
        board.apply(Events.fault(1, "kill:1@50", 50, 0));
        board.ended(1, 137, 0);
        board.startsAgain(1, 4711);
        Display display = new Display(out, true);
        display.update(board, Duration.ZERO);
        assertThat(plainText()).contains("       1  starting ");
        bytes.reset();

        board.apply(Events.report(1, 0, new Waits(4711)));
        display.update(board, Duration.ZERO);
        assertThat(plainText()).contains("       1  waiting ");
        bytes.reset();

        board.apply(Events.joined(1, 2, 3, 0));
        display.update(board, Duration.ZERO);
        assertThat(plainText()).contains("   1 (2)  training            3 ");
    }

    private String plainText() {
        return bytes.toString(UTF_8).replaceAll("\u001b\\[[0-9]*[a-zA-Z]", "");
    }

    @Test
    void tableFitsATerminalOfEightyColumns() {
        board.apply(Events.joined(0, 192, 123, 0));
        board.apply(Events.fault(0, "exception:0@100", 100, 0));
        board.apply(Events.report(0, 0, new Measured(100, 10.1234, 1)));
        new Display(out, true).update(board, Duration.ZERO);

        assertThat(plainText().lines())
                .filteredOn(line -> !line.contains(" s  "))
                .allMatch(line -> line.length() < 80);
    }
}

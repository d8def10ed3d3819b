package dev.resiliency.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.Fault;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisplayTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, false, UTF_8);
    private final Scoreboard board = new Scoreboard(new Scenario(2, 100, List.of(Fault.parse("kill:1@50"))));

    @Test
    void plainLinesShowTheStoryOnceAndEveryTenthOfTheTraining() {
        Display display = new PlainDisplay(out);
        board.apply(1, Events.entered(1, 0, 0));
        for (int step = 5; step <= 30; step += 5) {
            board.apply(0, new DemoEvent.Measured(step, 0.5, 0.9));
            display.update(board, Duration.ofMillis(1500));
        }
        board.apply(1, new DemoEvent.FaultDue("kill:1@50", 50, 0));
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
        Display display = new LiveDisplay(out);
        board.apply(0, Events.entered(0, 0, 0));
        board.apply(1, Events.entered(1, 0, 0));
        board.apply(0, new DemoEvent.Measured(50, 0.5, 0.9));
        display.update(board, Duration.ofMillis(1500));
        String first = bytes.toString(UTF_8);
        bytes.reset();
        board.apply(1, new DemoEvent.FaultDue("kill:1@50", 50, 0));
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
        board.apply(1, Events.entered(1, 0, 0));
        board.apply(1, new DemoEvent.FaultDue("kill:1@50", 50, 0));
        board.ended(1, 137, 0);
        board.startsAgain(1, 4711);
        Display display = new LiveDisplay(out);
        display.update(board, Duration.ZERO);
        assertThat(plainText()).contains("       1  starting ");
        bytes.reset();

        board.apply(1, new DemoEvent.Waits());
        display.update(board, Duration.ZERO);
        assertThat(plainText()).contains("       1  waiting ");
        bytes.reset();

        board.apply(1, Events.joined(2, 3, 0));
        display.update(board, Duration.ZERO);
        assertThat(plainText()).contains("   1 (2)  training            3 ");
    }

    private String plainText() {
        return bytes.toString(UTF_8).replaceAll("\u001b\\[[0-9]*[a-zA-Z]", "");
    }

    @Test
    void tableFitsATerminalOfEightyColumns() {
        board.apply(0, Events.joined(192, 123, 0));
        board.apply(0, new DemoEvent.FaultDue("exception:0@100", 100, 0));
        board.apply(0, new DemoEvent.Measured(100, 10.1234, 1));
        new LiveDisplay(out).update(board, Duration.ZERO);

        assertThat(plainText().lines())
                .filteredOn(line -> !line.contains(" s  "))
                .allMatch(line -> line.length() < 80);
    }
}

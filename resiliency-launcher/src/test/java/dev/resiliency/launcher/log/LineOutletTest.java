package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class LineOutletTest {
    private final BoundedQueue<String> queue = new BoundedQueue<>(100, 1 << 20, String::length);
    private final LongAdder dropped = new LongAdder();
    private final LineOutlet<String> outlet =
            new LineOutlet<>(queue, Duration.ZERO, text -> new String(text, UTF_8).strip(), dropped::add);

    private void write(int lines) throws InterruptedException {
        for (int line = 0; line < lines; line++) {
            outlet.write("line".getBytes(UTF_8));
        }
    }

    private List<String> take() throws InterruptedException {
        List<String> taken = queue.take(Duration.ZERO);
        queue.release(taken);
        return taken;
    }

    @Test
    void linesThatComeTogetherArePutTogether() throws Exception {
        write(2);
        assertThat(take()).isEmpty();
        outlet.flush();
        assertThat(take()).containsExactly("line", "line");
        outlet.flush();
        assertThat(take()).isEmpty();
    }

    @Test
    void linesDoNotWaitForTooManyOthers() throws Exception {
        write(65);
        assertThat(take()).hasSize(64);
    }

    @Test
    void linesForWhichThereIsNoRoomAreCounted() throws Exception {
        write(98);
        outlet.flush();
        write(20);
        outlet.flush();
        write(3);
        outlet.flush();
        assertThat(take()).hasSize(98).containsOnly("line");

        write(1);
        outlet.flush();

        assertThat(take()).containsExactly("… 23 lines are missing here, as the output is read too slowly", "line");
        assertThat(dropped.sum()).isEqualTo(23);
    }

    @Test
    void lastLineOfAStreamSaysWhatIsMissing() throws Exception {
        write(64);
        write(64);
        take();
        outlet.end();

        assertThat(take()).containsExactly("… 64 lines are missing here, as the output is read too slowly");
    }
}

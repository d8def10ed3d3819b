package dev.resiliency.launcher.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Readings that the test gives, and a clock that only the pauses move. */
class MemoryWaitTest {
    private static final MemoryReclaim SETTINGS = new MemoryReclaim(Duration.ofSeconds(50), 512, Duration.ofSeconds(2));

    private final Queue<List<Long>> readings = new ArrayDeque<>();
    private final List<String> said = new ArrayList<>();
    private long now = 42;

    private void run(GpuMemory memory) {
        new MemoryWait(SETTINGS, memory, () -> now, pause -> now += pause.toNanos(), said::add).run();
    }

    @Test
    void freeMemoryIsNotWaitedFor() {
        run(() -> List.of(3L, 512L));

        assertThat(said).containsExactly("the memory of the GPUs is free after 0 (3, 512 MiB in use)");
    }

    @Test
    void memoryIsReadAgainUntilAllOfItIsFree() {
        readings.add(List.of(70_000L, 70_000L));
        readings.add(List.of(3L, 513L));
        readings.add(List.of(3L, 3L));

        run(readings::remove);

        assertThat(said).containsExactly("the memory of the GPUs is free after 4s (3, 3 MiB in use)");
    }

    @Test
    void memoryThatIsNotFreedIsNamed() {
        run(() -> List.of(3L, 70_000L));

        assertThat(said)
                .singleElement()
                .asString()
                .startsWith("the memory of the GPUs is not free after 50s (3, 70000");
        assertThat(Duration.ofNanos(now)).isEqualTo(Duration.ofSeconds(50).plusNanos(42));
    }

    @Test
    void memoryThatCannotBeReadIsNotWaitedFor() {
        run(() -> {
            throw new IOException("nvidia-smi failed: no devices");
        });

        assertThat(said)
                .containsExactly(
                        "ranks start without a wait for the memory of the GPUs: nvidia-smi failed: no devices");
    }

    @Test
    void interruptEndsTheWait() {
        run(() -> {
            throw new InterruptedException();
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(said).isEmpty();
    }
}

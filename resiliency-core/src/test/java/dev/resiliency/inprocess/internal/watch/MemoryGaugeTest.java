package dev.resiliency.inprocess.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.cycle.FakeClock;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.monitor.spi.StampWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryGaugeTest {
    private final FakeClock clock = new FakeClock();
    private MemoryUse memory = new MemoryUse(10, 1, 20, false);

    @Test
    void monitorProcessAndAgentSeeItAtIntervals(@TempDir Path directory) throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(0));
                StampFile stamps = StampFile.create(directory.resolve("r0"), 0)) {
            MemoryGauge gauge = new MemoryGauge(() -> memory, file, StampWriter.of(stamps.path()), clock);
            gauge.step();
            assertThat(file.memory()).isEqualTo(memory);
            assertThat(stamps.read().memory()).isEqualTo(memory);

            memory = new MemoryUse(98, 1, 20, false);
            gauge.step();
            assertThat(file.memory().heap()).isEqualTo(10);

            clock.advance(MemoryGauge.INTERVAL);
            gauge.step();
            assertThat(file.memory().heap()).isEqualTo(98);
        }
    }

    @Test
    void threadThatDiesAsMemoryRanOutIsNotedWithoutMemory(@TempDir Path directory) throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(0));
                StampFile stamps = StampFile.create(directory.resolve("r0"), 0)) {
            MemoryGauge gauge = new MemoryGauge(() -> memory, file, StampWriter.of(stamps.path()), clock);
            gauge.step();

            gauge.ranOut(true);
            assertThat(file.memory()).isEqualTo(new MemoryUse(10, 1, 20, true));
            assertThat(stamps.read().memory().isHeapFull()).isTrue();
            assertThat(gauge.note().ranOut()).isTrue();

            gauge.ranOut(false);
            assertThat(file.memory()).isEqualTo(memory);
            assertThat(stamps.read().memory()).isEqualTo(memory);
        }
    }

    @Test
    void heapOfThisProcessIsKnownAfterACollection() {
        System.gc();

        MemoryUse use =
                MemoryGauge.ofThisProcess(null, StampWriter.ofThisProcess()).note();

        assertThat(use.heap()).isBetween(0, 100);
        assertThat(use.direct()).isNotNegative();
    }
}

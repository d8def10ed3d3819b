package dev.resiliency.inprocess.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.resiliency.inprocess.internal.cycle.FakeClock;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.monitor.spi.StampWriter;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

    private static MemoryPoolMXBean pool(@Nullable Long usedAfterCollection) {
        MemoryPoolMXBean pool = mock(MemoryPoolMXBean.class);
        when(pool.getCollectionUsage())
                .thenReturn(
                        usedAfterCollection == null
                                ? null
                                : new MemoryUsage(0, usedAfterCollection, usedAfterCollection, usedAfterCollection));
        return pool;
    }

    private static BufferPoolMXBean buffers(String name, long mebibytes) {
        BufferPoolMXBean pool = mock(BufferPoolMXBean.class);
        when(pool.getName()).thenReturn(name);
        when(pool.getMemoryUsed()).thenReturn(mebibytes << 20);
        return pool;
    }

    private static MemoryUse read(List<MemoryPoolMXBean> heap, BufferPoolMXBean... buffers) {
        return new MemoryGauge.Pools(heap, List.of(buffers), new ContainerMemory(List.of())).read();
    }

    @Test
    void heapIsThatOfAllPoolsAndOnlyDirectBuffersCount() {
        long quarter = Runtime.getRuntime().maxMemory() / 4 + 1;

        assertThat(read(List.of(pool(quarter), pool(null), pool(quarter)), buffers("mapped", 5), buffers("direct", 3)))
                .isEqualTo(new MemoryUse(50, 3, MemoryUse.UNKNOWN, false));
        assertThat(read(List.of(pool(5 * quarter))).heap()).isEqualTo(100);
        assertThat(read(List.of(pool(0L), pool(null))).heap())
                .as("before the first collection")
                .isEqualTo(MemoryUse.UNKNOWN);
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

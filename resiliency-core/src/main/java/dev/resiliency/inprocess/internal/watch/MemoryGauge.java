package dev.resiliency.inprocess.internal.watch;

import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.monitor.spi.StampWriter;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notes from time to time how full the memory of this process is, for its monitor process and its agent: a process that has died, or
 * does nothing but collect garbage, cannot be asked any more. Confined to the watchdog's thread, but for what {@link #ranOut} says.
 */
public final class MemoryGauge {
    /** It reads files and makes a little garbage, so it is not done at each check of the watchdog. */
    static final Duration INTERVAL = Duration.ofSeconds(2);

    private final Supplier<MemoryUse> source;
    private final @Nullable HeartbeatFile file;
    private final StampWriter stamps;
    private final Clock clock;
    private long nextAt;
    /** Written by the thread that dies, or the monitor thread. */
    private volatile boolean ranOut;

    MemoryGauge(Supplier<MemoryUse> source, @Nullable HeartbeatFile file, StampWriter stamps, Clock clock) {
        this.source = source;
        this.file = file;
        this.stamps = stamps;
        this.clock = clock;
        this.nextAt = clock.nanoTime();
    }

    /** Creates a gauge of this process; {@code file} is null if there is no monitor process. */
    public static MemoryGauge ofThisProcess(@Nullable HeartbeatFile file, StampWriter stamps) {
        return new MemoryGauge(() -> OfThisProcess.POOLS.read(), file, stamps, Clock.SYSTEM);
    }

    /** Found when the watchdog first looks: that loads many classes, for which no start of a rank shall wait. */
    private static final class OfThisProcess {
        static final Pools POOLS = new Pools(
                ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(pool -> pool.getType() == MemoryType.HEAP)
                        .toList(),
                ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class),
                ContainerMemory.ofThisProcess());
    }

    /** Notes it if that is due. */
    public void step() {
        long now = clock.nanoTime();
        if (now - nextAt >= 0) {
            nextAt = now + INTERVAL.toNanos();
            note();
        }
    }

    /** Notes that memory has run out for a thread of the function, or that another iteration begins. From any thread. Allocates nothing. */
    public void ranOut(boolean hasRunOut) {
        ranOut = hasRunOut;
        if (file != null) {
            file.stampRanOut(hasRunOut);
        }
        stamps.noteRanOut(hasRunOut);
    }

    /** Notes it, and returns it. */
    public MemoryUse note() {
        MemoryUse read = source.get();
        MemoryUse use = new MemoryUse(read.heap(), read.direct(), read.container(), ranOut);
        if (file != null) {
            file.stampMemory(use);
        }
        stamps.note(use);
        return use;
    }

    /** Where the numbers are from. */
    record Pools(List<MemoryPoolMXBean> heap, List<BufferPoolMXBean> buffers, ContainerMemory container) {
        MemoryUse read() {
            long direct = buffers.stream()
                    .filter(pool -> pool.getName().equals("direct"))
                    .mapToLong(BufferPoolMXBean::getMemoryUsed)
                    .sum();
            return new MemoryUse(
                    heapAfterCollection(), (int) Math.min(direct >> 20, Integer.MAX_VALUE), container.percent(), false);
        }

        private int heapAfterCollection() {
            long used = 0;
            for (MemoryPoolMXBean pool : heap) {
                MemoryUsage afterCollection = pool.getCollectionUsage();
                used += afterCollection == null ? 0 : afterCollection.getUsed();
            }
            long limit = Runtime.getRuntime().maxMemory();
            return used == 0 ? MemoryUse.UNKNOWN : (int) Math.min(100, used * 100.0 / limit);
        }
    }
}

package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.internal.Nanos;
import dev.resiliency.store.internal.Timer;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Schedules tasks on an event loop, by that loop's own clock. */
public record LoopTimer(EventLoop loop) implements Timer {

    @Override
    public Alarm schedule(Duration delay, Runnable task) {
        Future<?> scheduled = loop.schedule(task, Nanos.of(delay), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public long nanoTime() {
        return loop.ticker().nanoTime();
    }
}

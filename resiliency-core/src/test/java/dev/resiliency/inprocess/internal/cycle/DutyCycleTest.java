package dev.resiliency.inprocess.internal.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DutyCycleTest {
    private static final long AN_HOUR = TimeUnit.HOURS.toNanos(1);

    @Test
    @SuppressWarnings("try") // the cycle only needs to be closed
    void interruptOfItsThreadDoesNotEndIt() throws Exception {
        BlockingQueue<Thread> steps = new LinkedBlockingQueue<>();
        Waker waker = new Waker();
        try (DutyCycle cycle = DutyCycle.start(
                "test",
                () -> {
                    steps.add(Thread.currentThread());
                    return AN_HOUR;
                },
                waker)) {
            Thread thread = steps.take();

            thread.interrupt();

            assertThat(steps.take()).isSameAs(thread);
            waker.wake();
            assertThat(steps.take()).as("the mark is gone").isSameAs(thread);
        }
    }

    @Test
    void stepThatSaysSoEndsIt() throws Exception {
        BlockingQueue<Thread> steps = new LinkedBlockingQueue<>();
        AtomicInteger left = new AtomicInteger(3);
        try (DutyCycle cycle = DutyCycle.start(
                "test",
                () -> {
                    steps.add(Thread.currentThread());
                    return left.decrementAndGet() > 0 ? 0 : DutyCycle.END;
                },
                new Waker())) {
            cycle.awaitEnd();

            assertThat(cycle.failure()).isNull();
        }

        assertThat(steps).hasSize(3).doesNotContain(Thread.currentThread());
    }

    @Test
    void whatEndsItIsKnown() throws Exception {
        OutOfMemoryError killer = new OutOfMemoryError("Java heap space");
        try (DutyCycle cycle = DutyCycle.start(
                "test",
                () -> {
                    throw killer;
                },
                new Waker())) {
            cycle.awaitEnd();

            assertThat(cycle.failure()).isSameAs(killer);
        }
    }
}

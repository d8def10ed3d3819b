package dev.resiliency.inprocess.internal.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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
        try (DutyCycle cycle = DutyCycle.start("test", () -> DutyCycle.END, new Waker())) {
            cycle.awaitEnd();

            assertThat(cycle.failure()).isNull();
        }
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

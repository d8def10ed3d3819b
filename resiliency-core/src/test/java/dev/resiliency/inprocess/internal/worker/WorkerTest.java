package dev.resiliency.inprocess.internal.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads into which JVMTI throws. */
@Timeout(120)
class WorkerTest {
    /** The number of workers that race with deliveries. */
    private static final int WORKERS = 100;

    private final ThreadControl control = requireNonNull(ThreadControl.find());
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile int spun;

    private String spinForEver() {
        while (true) {
            spun = 1;
        }
    }

    @Test
    void busyLoopIsStoppedByTheVeryThrowableAndRunsItsFinallyBlock() throws Exception {
        AtomicBoolean cleanedUp = new AtomicBoolean();
        Worker<String> worker = Worker.start(
                "worker",
                () -> {
                    try {
                        return spinForEver();
                    } finally {
                        cleanedUp.set(true);
                    }
                },
                ended::countDown);
        RestartSignal signal = new RestartSignal(0);
        await().until(() -> spun > 0);

        assertThat(worker.deliver(control, signal)).isTrue();

        ended.await();
        assertThat(requireNonNull(worker.ending()).thrown()).isSameAs(signal);
        assertThat(cleanedUp).isTrue();
    }

    @Test
    void nothingIsThrownIntoAWorkerThatHasLeftItsStep() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean disturbed = new AtomicBoolean();
        Worker<String> worker = Worker.start("worker", () -> "returned", () -> {
            try {
                ended.countDown();
                goOn.await();
            } catch (Throwable thrown) {
                disturbed.set(true);
            }
        });
        ended.await();

        assertThat(worker.deliver(control, new RestartSignal(0))).isFalse();

        goOn.countDown();
        worker.thread().join();
        assertThat(disturbed).isFalse();
    }

    @Test
    void interruptOfTheStepDoesNotReachLaterCode() throws Exception {
        AtomicBoolean interrupted = new AtomicBoolean();
        Worker<String> worker = Worker.start(
                "worker",
                () -> {
                    Thread.currentThread().interrupt();
                    return "returned";
                },
                () -> interrupted.set(Thread.currentThread().isInterrupted()));

        worker.thread().join();

        assertThat(interrupted).isFalse();
        assertThat(worker.thread().isDaemon()).isTrue();
    }

    /**
     * Deliveries that race with the start and the end of the step: its counter ends at some moment while signals are
     * thrown as fast as possible. A signal in flight must surface before {@code onEnd}, or not at all. So many may even
     * end the thread before its step is over; then {@code onEnd} still runs, once.
     */
    @Test
    void signalsThatRaceWithTheStepNeitherSurfaceAfterItNorHideItsEnd() throws Exception {
        AtomicInteger leaked = new AtomicInteger();
        AtomicInteger ends = new AtomicInteger();
        int delivered = 0;
        for (int i = 0; i < WORKERS; i++) {
            int rounds = i % 50;
            Worker<String> worker = Worker.start(
                    "worker-" + i,
                    () -> {
                        for (int round = 0; round < rounds; round++) {
                            try {
                                spin(100);
                            } catch (RestartSignal swallowed) {
                                // as badly written code does
                            }
                        }
                        return "returned";
                    },
                    () -> {
                        ends.incrementAndGet();
                        try {
                            spin(1_000);
                        } catch (Throwable thrown) {
                            leaked.incrementAndGet();
                        }
                    });
            while (worker.deliver(control, new RestartSignal(0))) {
                delivered++;
            }
            worker.thread().join();
            assertThat(worker.ending()).isNotNull();
        }
        assertThat(leaked).hasValue(0);
        assertThat(ends).hasValue(WORKERS);
        assertThat(delivered).isGreaterThan(5 * WORKERS);
    }

    private void spin(int times) {
        for (int i = 0; i < times; i++) {
            spun = 1;
        }
    }
}

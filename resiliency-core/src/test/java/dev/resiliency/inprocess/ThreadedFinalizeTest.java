package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadedFinalizeTest {
    private static final State STATE = new State(0, 1, 0, 1, State.Mode.ACTIVE, 0, 1, 0);
    private static final Duration AMPLE = Duration.ofSeconds(30);

    @Test
    void hookRunsOnItsOwnThreadAndIsAwaited() throws Exception {
        List<Thread> threads = new ArrayList<>();

        Finalize.threaded(state -> threads.add(Thread.currentThread()), AMPLE).finish(STATE);

        assertThat(threads).singleElement().satisfies(thread -> {
            assertThat(thread).isNotSameAs(Thread.currentThread());
            assertThat(thread.getName()).isEqualTo(Thread.currentThread().getName() + "-threaded");
            assertThat(thread.isDaemon()).isTrue();
        });
    }

    @Test
    void whatTheHookThrowsIsThrown() {
        IOException thrown = new IOException("the file system is gone");
        AssertionError error = new AssertionError("broken");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> throwing(thrown).finish(STATE))
                .isSameAs(thrown);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Finalize.threaded(
                                state -> {
                                    throw error;
                                },
                                AMPLE)
                        .finish(STATE))
                .isSameAs(error);
    }

    @Test
    void hookThatDoesNotEndIsInterruptedAndItsStackIsShown() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Finalize hook = Finalize.threaded(
                state -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                },
                Duration.ofMillis(20));

        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> hook.finish(STATE))
                .withMessageStartingWith("the finalize hook has not ended within 20 ms; it is at [")
                .withMessageContaining("CountDownLatch.await");
        interrupted.await();
    }

    @Test
    void interruptReachesTheHook() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Finalize hook = Finalize.threaded(
                state -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                },
                AMPLE);
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> hook.finish(STATE));
        interrupted.await();
    }

    @Test
    void nonPositiveTimeoutIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Finalize.threaded(state -> {}, Duration.ZERO))
                .withMessage("timeout is PT0S: it must be positive");
    }

    private static Finalize throwing(Exception thrown) {
        return Finalize.threaded(
                state -> {
                    throw thrown;
                },
                AMPLE);
    }
}

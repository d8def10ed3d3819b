package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.contains;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class LeftThreadsTest {
    private final LeftThreads threads = new LeftThreads();

    @Test
    void threadsThatGrowWithEachRestartAreSaidOnce() {
        assertThat(threads.grow(4)).isFalse();
        assertThat(threads.grow(8)).isFalse();
        assertThat(threads.grow(12)).isFalse();
        assertThat(threads.grow(16)).isTrue();
        assertThat(threads.grow(20)).isFalse();
    }

    @Test
    void poolThatIsFilledAtTheBeginningIsNot() {
        for (int count : new int[] {2, 4, 8, 8, 9, 10, 10}) {
            assertThat(threads.grow(count)).isFalse();
        }
    }

    @Test
    void threadsOfTheFunctionAreNamed() {
        CountDownLatch end = new CountDownLatch(1);
        Scenario scenario = new Scenario();
        scenario.log = mock(Logger.class);
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            for (int i = 0; i < LeftThreads.RESTARTS; i++) {
                job.untilAll(RUNNING);
                job.rank(0).orderStep(i);
                job.rank(0).orderAndAwaitBegin(call -> {
                    Thread loader = new Thread(
                            () -> {
                                try {
                                    end.await();
                                } catch (InterruptedException e) {
                                    throw new AssertionError(e);
                                }
                            },
                            "loader");
                    loader.start();
                    throw new IllegalStateException("NaN");
                });
                job.restart();
            }

            verify(scenario.log)
                    .warn(
                            contains("leaves more threads behind"),
                            any(Object.class),
                            eq(LeftThreads.RESTARTS),
                            eq("loader"),
                            eq(""));
        } finally {
            end.countDown();
        }
    }
}

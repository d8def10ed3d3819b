package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What callers need whose process outlives a job. */
@Timeout(60)
class EmbeddedTest {
    private static final ThreadLocal<@Nullable String> TASK = new ThreadLocal<>();

    private static Wrapper.Builder first(Wrapper.Builder builder) {
        return builder.callNumber(0).lastCallWait(Duration.ZERO);
    }

    @Test
    void callThatFailedAndIsMadeAgainJoinsTheJobThatTheOthersHaveGoneOnWith() throws Exception {
        CountDownLatch alone = new CountDownLatch(1);
        try (LocalJob job = new LocalJob(2)) {
            RestartableFunction<Integer> function = call -> {
                if (call.state().initialRank() == 1) {
                    throw new RestartAbort("the task failed");
                }
                if (call.state().activeWorldSize() == 1) {
                    alone.countDown();
                }
                if (call.state().activeWorldSize() == 1 || call.iteration() == 0) {
                    new CountDownLatch(1).await(); // until the restart
                }
                return call.state().activeWorldSize();
            };
            Future<@Nullable Integer> stays = job.start(0, EmbeddedTest::first, function);
            Future<@Nullable Integer> fails = job.start(1, EmbeddedTest::first, function);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> fails.get(20, TimeUnit.SECONDS))
                    .withCauseInstanceOf(RestartAbort.class);
            alone.await();

            Future<@Nullable Integer> again =
                    job.start(1, EmbeddedTest::first, call -> call.state().activeWorldSize());

            assertThat(again.get(20, TimeUnit.SECONDS)).isEqualTo(2);
            assertThat(stays.get(20, TimeUnit.SECONDS)).isEqualTo(2);
        }
    }

    @Test
    void whoComesAfterTheCompletionReceivesAnErrorThatSaysSo() throws Exception {
        try (LocalJob job = new LocalJob(2)) {
            for (Future<@Nullable String> result : job.startAll(EmbeddedTest::first, call -> "done")) {
                assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done");
            }

            assertIsComplete(job.start(1, EmbeddedTest::first, call -> "again"));
        }
    }

    @Test
    void whoStillWaitsToJoinWhenTheJobCompletesReceivesItAsWell() throws Exception {
        CountDownLatch begins = new CountDownLatch(1);
        CountDownLatch waits = new CountDownLatch(1);
        try (LocalJob job = new LocalJob(1)) {
            Future<@Nullable String> member = job.start(0, EmbeddedTest::first, call -> {
                begins.countDown();
                waits.await();
                return "done";
            });
            begins.await();
            Future<@Nullable String> late =
                    job.startAnother(0, builder -> first(builder).prepare(waits::countDown), call -> "never");

            assertIsComplete(late);
            assertThat(member.get(20, TimeUnit.SECONDS)).isEqualTo("done");
        }
    }

    private static void assertIsComplete(Future<?> result) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> result.get(20, TimeUnit.SECONDS))
                .withCauseInstanceOf(JobCompleteException.class)
                .withMessageContaining("was completed by its ranks before this process had a part in it");
    }

    @Test
    void numberOfACallIsNotNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Wrapper.builder().callNumber(-1))
                .withMessageContaining("callNumber is -1");
    }

    private static Wrapper.Builder alone() {
        return Wrapper.builder().environment(Environment.single()).monitorProcess(false);
    }

    @Test
    void threadsOfUserCodeAreDecorated() throws Exception {
        AtomicInteger threads = new AtomicInteger();
        Wrapper wrapper = alone().decorateThread(step -> () -> {
                    TASK.set("task 7");
                    threads.incrementAndGet();
                    step.run();
                })
                .prepare(() -> assertThat(TASK.get()).isEqualTo("task 7"))
                .completion(state -> assertThat(TASK.get()).isEqualTo("task 7"))
                .build();

        assertThat(wrapper.<String>call(call -> {
                    if (call.iteration() == 0) {
                        throw new IllegalStateException("once");
                    }
                    return String.valueOf(TASK.get());
                }))
                .isEqualTo("task 7");
        assertThat(threads).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    void whatADecoratorThrowsBeforeTheStepFailsItAndWhatItThrowsAfterwardsDoesNot() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        Wrapper wrapper = alone().decorateThread(step -> () -> {
                    if (attempts.getAndIncrement() == 0) {
                        throw new IllegalStateException("no context");
                    }
                    step.run();
                    throw new IllegalStateException("the context is gone");
                })
                .build();

        assertThat(wrapper.<Integer>call(CallWrapper::iteration)).isEqualTo(1);
    }
}

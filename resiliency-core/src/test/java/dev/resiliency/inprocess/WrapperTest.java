package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

import dev.resiliency.store.Value;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WrapperTest {

    @Test
    void functionThatReturnsOnAllRanksIsCalledOnce() throws Exception {
        try (LocalJob job = new LocalJob(4)) {
            List<Future<@Nullable String>> results = job.startAll(
                    UnaryOperator.identity(), call -> "rank " + call.state().activeRank() + " it " + call.iteration());

            assertThat(results.get(2).get(20, TimeUnit.SECONDS)).isEqualTo("rank 2 it 0");
            for (Future<@Nullable String> result : results) {
                result.get(20, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void exceptionOnOneRankRestartsAll() throws Exception {
        ConcurrentLinkedQueue<RestartReport> reports = new ConcurrentLinkedQueue<>();
        try (LocalJob job = new LocalJob(4)) {
            CountDownLatch never = new CountDownLatch(1);
            List<Future<@Nullable Integer>> results = job.startAll(
                    settings -> settings.listener(new RestartListener() {
                        @Override
                        public void restarted(RestartReport report) {
                            reports.add(report);
                        }
                    }),
                    call -> {
                        if (call.iteration() == 0) {
                            if (call.state().initialRank() == 2) {
                                throw new IllegalStateException("loss is NaN");
                            }
                            never.await();
                        }
                        return call.iteration();
                    });

            for (Future<@Nullable Integer> result : results) {
                assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo(1);
            }
        }
        assertThat(reports).hasSize(4).allSatisfy(report -> {
            assertThat(report.interruptions()).singleElement().satisfies(interruption -> {
                assertThat(interruption.rank()).isEqualTo(2);
                assertThat(interruption.kind()).isEqualTo(Interruption.Kind.EXCEPTION);
                assertThat(interruption.message()).contains("loss is NaN");
            });
            assertThat(report.state().worldSize()).isEqualTo(4);
        });
    }

    @Test
    void wrapperCanBeUsedAgain() throws Exception {
        try (LocalJob job = new LocalJob(1)) {
            Wrapper wrapper = job.rank(0).build();

            assertThat(wrapper.call(failingOnce("first"))).isEqualTo("first");
            assertThat(wrapper.call(failingOnce("second"))).isEqualTo("second");
        }
    }

    @Test
    void callableWithoutACallWrapperIsRestarted() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (LocalJob job = new LocalJob(1)) {
            String result = job.rank(0).build().call(() -> {
                if (calls.incrementAndGet() == 1) {
                    throw new IllegalStateException("loss is NaN");
                }
                return "done";
            });

            assertThat(result).isEqualTo("done");
        }
        assertThat(calls).hasValue(2);
    }

    @Test
    void concurrentSecondCallOfARankIsRejectedBeforeItTouchesTheStore() throws Exception {
        AtomicInteger opened = new AtomicInteger();
        try (LocalJob job = new LocalJob(1)) {
            Wrapper wrapper = job.rank(0)
                    .store((environment, call) -> {
                        opened.incrementAndGet();
                        return job.store().newSession();
                    })
                    .build();

            String result = wrapper.call(first -> {
                assertThatIllegalStateException()
                        .isThrownBy(() -> wrapper.call(second -> "never"))
                        .withMessageStartingWith("rank 0 of 1 is already in a call of a wrapper, made by the thread");
                return "first";
            });

            assertThat(result).isEqualTo("first");
            assertThat(opened).hasValue(1);
            assertThat(wrapper.<String>call(next -> "next")).isEqualTo("next");
        }
    }

    @Test
    void disabledWrapperCallsTheFunctionOnceOnTheCallersThread() throws Exception {
        try (LocalJob job = new LocalJob(1)) {
            Wrapper wrapper = job.rank(0).enabled(false).build();

            Thread thread = wrapper.call(call -> Thread.currentThread());

            assertThat(thread).isSameAs(Thread.currentThread());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void processOfAnotherWorldDoesNotCallTheFunctionAndWritesNothing(boolean enabled) throws Exception {
        try (LocalJob job = new LocalJob(2)) {
            String prefix = "jobs/default/call-0/";
            job.store().set(prefix + "generation", Value.of("0 0 0"));
            job.store().set(prefix + "0/run", Value.of("00c0ffee"));
            job.store().set(prefix + "0/job", Value.of("4 3"));
            Wrapper wrapper = job.rank(1).enabled(enabled).build();

            assertThatExceptionOfType(RankFencedException.class)
                    .isThrownBy(() -> wrapper.call(call -> {
                        throw new AssertionError("called");
                    }))
                    .withMessage(
                            "rank 1 has not joined: the job (run 00c0ffee) does not admit it: it has 3 ranks, but"
                                    + " WORLD_SIZE is 2 here; set the same on every rank, and give each job an address of its own");

            assertThat(job.store().keys("")).containsExactly(prefix + "0/job", prefix + "0/run", prefix + "generation");
        }
    }

    @Test
    void disabledWrapperLetsExceptionsThrough() {
        try (LocalJob job = new LocalJob(1)) {
            Wrapper wrapper = job.rank(0).enabled(false).build();
            RuntimeException unchecked = new IllegalStateException("loss is NaN");
            assertThatException()
                    .isThrownBy(() -> wrapper.call(throwing(unchecked)))
                    .isSameAs(unchecked);

            Exception checked = new ExecutionException("in a thread of the function", unchecked);
            assertThatExceptionOfType(ResiliencyException.class)
                    .isThrownBy(() -> wrapper.call(throwing(checked)))
                    .withMessageStartingWith("the function failed: ")
                    .withCause(checked);
        }
    }

    @Test
    void callerThatIsInterruptedLeavesAndTheOthersGoOnWithoutIt() throws Exception {
        try (LocalJob job = new LocalJob(2)) {
            CountDownLatch running = new CountDownLatch(2);
            RestartableFunction<Integer> function = call -> {
                if (call.iteration() == 0) {
                    running.countDown();
                    new CountDownLatch(1).await();
                }
                return call.state().worldSize();
            };
            FutureTask<@Nullable Integer> leaving =
                    new FutureTask<>(job.rank(1).build().wrap(function));
            Thread caller = new Thread(leaving);
            caller.start();
            Future<@Nullable Integer> staying = job.start(0, UnaryOperator.identity(), function);
            running.await();

            caller.interrupt();

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(leaving::get)
                    .withCauseInstanceOf(InterruptedException.class);
            assertThat(staying.get(20, TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    @Test
    void restartDoesNotTouchTheCallersInterruptStatus() throws Exception {
        try (LocalJob job = new LocalJob(1)) {
            job.rank(0).build().call(failingOnce("done"));

            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Test
    void hooksRunInTheirOrderEachWithTheStateOfItsIteration() throws Exception {
        List<String> calls = new CopyOnWriteArrayList<>();
        try (LocalJob job = new LocalJob(1)) {
            job.rank(0)
                    .initialize(state -> calls.add("initialize " + state.iteration()))
                    .healthCheck(state -> calls.add("health check " + state.iteration()))
                    .abort(state -> calls.add("abort " + state.iteration()))
                    .finalize(state -> calls.add("finalize " + state.iteration()))
                    .completion(state -> calls.add("completion " + state.iteration()))
                    .terminate(state -> calls.add("terminate " + state.iteration()))
                    .build()
                    .call(failingOnce("done"));
        }
        assertThat(calls)
                .containsExactly(
                        "initialize 0",
                        "health check 0",
                        "abort 0",
                        "finalize 0",
                        "health check 0",
                        "initialize 1",
                        "health check 1",
                        "completion 1");
    }

    @Test
    void rankThatGivesUpRunsItsTerminateHook() {
        List<State> terminated = new CopyOnWriteArrayList<>();
        try (LocalJob job = new LocalJob(1)) {
            Wrapper wrapper = job.rank(0)
                    .initialize(Initialize.retryController(2))
                    .terminate(terminated::add)
                    .build();

            assertThatExceptionOfType(RestartAbort.class)
                    .isThrownBy(() -> wrapper.call(throwing(new IllegalStateException("always"))))
                    .withMessageContaining("2 times without success");
        }
        assertThat(terminated).singleElement().extracting(State::iteration).isEqualTo(2);
    }

    @Test
    void healthCheckThatFailsAfterAFaultMakesTheRankLeave() {
        AtomicInteger checks = new AtomicInteger();
        try (LocalJob job = new LocalJob(1)) {
            Wrapper wrapper = job.rank(0)
                    .healthCheck(state -> {
                        if (checks.incrementAndGet() == 2) {
                            throw new IOException("the GPU has fallen off the bus");
                        }
                    })
                    .build();

            assertThatExceptionOfType(HealthCheckException.class)
                    .isThrownBy(() -> wrapper.call(failingOnce("never")))
                    .withMessageContaining("the health check failed on rank 0 in iteration 0")
                    .withCauseInstanceOf(IOException.class);
        }
    }

    static Stream<Throwable> whatAListenerMayThrow() {
        return Stream.of(
                new IllegalStateException("listener"),
                new AssertionError("listener"),
                new IOException("as code in other languages than Java may throw it"));
    }

    @ParameterizedTest
    @MethodSource("whatAListenerMayThrow")
    void listenerThatThrowsChangesNothing(Throwable thrown) throws Exception {
        RestartListener listener = mock(RestartListener.class, invocation -> {
            throw sneaky(thrown);
        });
        try (LocalJob job = new LocalJob(1)) {
            Wrapper wrapper = job.rank(0).listener(listener).build();

            assertThat(wrapper.call(failingOnce("done"))).isEqualTo("done");
        }
    }

    @Test
    void rankAssignmentThatThrowsACheckedExceptionMakesTheRankLeave() {
        IOException thrown = new IOException("as code in other languages than Java may throw it");
        try (LocalJob job = new LocalJob(1)) {
            Wrapper wrapper = job.rank(0)
                    .rankAssignment(world -> {
                        throw sneaky(thrown);
                    })
                    .build();

            assertThatExceptionOfType(ResiliencyException.class)
                    .isThrownBy(() -> wrapper.call(call -> "never"))
                    .withCause(thrown);
        }
    }

    @Test
    @SuppressWarnings("EmptyCatch") // the subject of the test
    void functionThatSwallowsEveryExceptionIsStopped() throws Exception {
        try (LocalJob job = new LocalJob(2)) {
            CountDownLatch looping = new CountDownLatch(1);
            RestartableFunction<Integer> function = call -> {
                if (call.iteration() == 0 && call.state().initialRank() == 0) {
                    looping.await();
                    throw new IllegalStateException("loss is NaN");
                }
                while (call.iteration() == 0) {
                    try {
                        call.ping();
                        looping.countDown();
                        new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS);
                    } catch (Exception e) {
                        // continue
                    }
                }
                return call.iteration();
            };

            for (Future<@Nullable Integer> result : job.startAll(UnaryOperator.identity(), function)) {
                assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo(1);
            }
        }
    }

    @Test
    void functionInheritsTheContextOfItsCaller() throws Exception {
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        ClassLoader loader = new ClassLoader() {};
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (LocalJob job = new LocalJob(1)) {
            local.set("of the caller");
            Thread.currentThread().setContextClassLoader(loader);

            String inherited = job.rank(0).build().call(call -> {
                if (call.iteration() == 0) {
                    throw new IllegalStateException("the next one inherits as well");
                }
                assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(loader);
                return local.get();
            });

            assertThat(inherited).isEqualTo("of the caller");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
            local.remove();
        }
    }

    private static RestartableFunction<String> failingOnce(String result) {
        return call -> {
            if (call.iteration() == 0) {
                throw new IllegalStateException("loss is NaN");
            }
            return result;
        };
    }

    private static RestartableFunction<String> throwing(Exception exception) {
        return call -> {
            throw exception;
        };
    }

    /** Throws any throwable unchecked. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }
}

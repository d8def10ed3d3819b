package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.Tree;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The effect of a hook that fails on rank 1 of two, on this rank and on the other one: the rows of the failure table.
 */
@Timeout(60)
class HookFailuresTest {
    private static final int FAILING = 1;

    private final List<State> terminated = new CopyOnWriteArrayList<>();
    private Terminate terminate = terminated::add;

    /** The result or exception of rank 1 and rank 0. */
    private record Ends(Future<@Nullable String> failing, Future<@Nullable String> other) {}

    /**
     * Runs a job of two ranks to its end. With {@code fault} the function throws on rank 1 in iteration 0; it returns its
     * iteration and the size of its world.
     */
    private Ends run(UnaryOperator<Wrapper.Builder> hooks, boolean fault) throws Exception {
        try (LocalJob job = new LocalJob(2)) {
            RestartableFunction<String> function = call -> {
                if (fault && call.iteration() == 0) {
                    if (call.state().initialRank() == FAILING) {
                        throw new IllegalStateException("loss is NaN");
                    }
                    new CountDownLatch(1).await();
                }
                return "iteration " + call.iteration() + " of " + call.state().worldSize();
            };
            Future<@Nullable String> other = job.start(0, builder -> builder.lastCallWait(Duration.ZERO), function);
            Future<@Nullable String> failing = job.start(
                    FAILING,
                    builder -> hooks.apply(builder.lastCallWait(Duration.ZERO).terminate(terminate)),
                    function);
            for (Future<?> each : List.of(failing, other)) {
                try {
                    each.get(20, TimeUnit.SECONDS);
                } catch (ExecutionException expected) {
                    // the test examines it
                }
            }
            return new Ends(failing, other);
        }
    }

    private static void assertLeft(Ends ends, Class<? extends Throwable> type, String message) throws Exception {
        assertThatThrownBy(ends.failing()::get).cause().isInstanceOf(type).hasMessageContaining(message);
        assertThat(ends.other().get()).endsWith("of 1");
    }

    private static void assertRestarted(Ends ends) throws Exception {
        assertThat(ends.failing().get()).isEqualTo("iteration 1 of 2");
        assertThat(ends.other().get()).isEqualTo("iteration 1 of 2");
    }

    @Test
    void initializeThatThrowsRestartsAll() throws Exception {
        Initialize once = state -> {
            if (state.iteration() == 0) {
                throw new IOException("no data yet");
            }
        };

        assertRestarted(run(builder -> builder.initialize(once), false));
        assertThat(terminated).isEmpty();
    }

    @Test
    void initializeThatAbortsMakesItsRankLeave() throws Exception {
        Initialize abort = state -> {
            throw new RestartAbort("no data at all");
        };

        assertLeft(run(builder -> builder.initialize(abort), false), RestartAbort.class, "no data at all");
        assertThat(terminated).hasSize(1);
    }

    @Test
    void abortThatThrowsChangesNothing() throws Exception {
        assertRestarted(run(
                builder -> builder.abort(state -> {
                    throw new IOException("already closed");
                }),
                true));
    }

    @Test
    void finalizeThatThrowsMakesItsRankLeave() throws Exception {
        Finalize broken = state -> {
            throw new IOException("device busy");
        };

        assertLeft(run(builder -> builder.finalize(broken), true), HealthCheckException.class, "device busy");
        assertThat(terminated).hasSize(1);
    }

    @Test
    void healthCheckIsSkippedWhenFinalizeThrows() throws Exception {
        List<Integer> checks = new CopyOnWriteArrayList<>();
        Finalize broken = state -> {
            throw new IOException("device busy");
        };

        run(builder -> builder.finalize(broken).healthCheck(state -> checks.add(state.iteration())), true);

        assertThat(checks).as("only the one before the function").containsExactly(0);
    }

    @Test
    void finalizeThatTimesOutMakesItsRankLeave() throws Exception {
        Finalize stuck = Finalize.threaded(state -> new CountDownLatch(1).await(), Duration.ofMillis(20));

        Ends ends = run(builder -> builder.finalize(stuck), true);

        assertLeft(ends, HealthCheckException.class, "the finalize hook has not ended within 20 ms");
        assertThatThrownBy(ends.failing()::get).rootCause().isInstanceOf(TimeoutException.class);
    }

    @Test
    void healthCheckThatThrowsBeforeTheFunctionMakesItsRankLeave() throws Exception {
        HealthCheck sick = state -> {
            throw new IOException("fallen off the bus");
        };

        assertLeft(run(builder -> builder.healthCheck(sick), false), HealthCheckException.class, "fallen off the bus");
        assertThat(terminated).hasSize(1);
    }

    @Test
    void errorInAHookCountsLikeAnException() throws Exception {
        HealthCheck unlinkedCheck = state -> {
            throw new UnsatisfiedLinkError("no libnvidia-ml.so.1");
        };
        Finalize unlinkedFinalize = state -> {
            throw new NoClassDefFoundError("org/example/Gpu");
        };

        assertLeft(
                run(builder -> builder.healthCheck(unlinkedCheck), false),
                HealthCheckException.class,
                "no libnvidia-ml.so.1");
        assertLeft(
                run(builder -> builder.finalize(unlinkedFinalize), true),
                HealthCheckException.class,
                "org/example/Gpu");
    }

    @Test
    void healthCheckThatAbortsMakesItsRankLeaveWithThat() throws Exception {
        HealthCheck abort = state -> {
            throw new RestartAbort("device replaced");
        };

        assertLeft(run(builder -> builder.healthCheck(abort), false), RestartAbort.class, "device replaced");
    }

    @Test
    void rankWhoseAssignmentKeyFailsLeavesAndTheOtherStartsWithoutIt() throws Exception {
        Tree byRack = new Tree(Layer.root(), Layer.by(initialRank -> {
            if (initialRank == FAILING) {
                throw new AssertionError("no rack");
            }
            return "rack 0";
        }));
        try (LocalJob job = new LocalJob(2)) {
            RestartableFunction<Integer> function = call -> call.state().worldSize();
            UnaryOperator<Wrapper.Builder> patient =
                    builder -> builder.rankAssignment(byRack).barrierTimeout(Duration.ofMinutes(5));
            Future<@Nullable Integer> other = job.start(0, patient, function);
            Future<@Nullable Integer> failing = job.start(FAILING, patient, function);

            assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo(1);
            assertThatThrownBy(failing::get)
                    .cause()
                    .isInstanceOf(ResiliencyException.class)
                    .hasMessageContaining("on rank 1: no rack");
        }
    }

    @Test
    void rankThatFailsTooOftenIsRemoved() throws Exception {
        assertRestarted(run(builder -> builder.healthCheck(HealthCheck.faultCounter(1)), true));

        assertLeft(
                run(builder -> builder.healthCheck(HealthCheck.faultCounter(0)), true),
                HealthCheckException.class,
                "rank 1 has failed 1 times; the limit is 0");
    }

    @Test
    void faultsOfOthersAreNotCounted() throws Exception {
        List<Integer> faults = new CopyOnWriteArrayList<>();
        try (LocalJob job = new LocalJob(2)) {
            List<Future<@Nullable Integer>> results =
                    job.startAll(builder -> builder.lastCallWait(Duration.ZERO), call -> {
                        int iteration = call.iteration();
                        if (iteration < 3 && call.state().initialRank() == FAILING) {
                            throw new IllegalStateException("loss is NaN");
                        }
                        if (iteration < 3) {
                            new CountDownLatch(1).await();
                        }
                        return call.state().faults();
                    });
            for (Future<@Nullable Integer> result : results) {
                faults.add(result.get(20, TimeUnit.SECONDS));
            }
        }
        assertThat(faults).containsExactly(0, 3);
    }

    @Test
    void completionThatThrowsReachesTheCallerAndTheOthersAreComplete() throws Exception {
        Ends ends = run(
                builder -> builder.completion(state -> {
                    throw new IOException("no space for the model");
                }),
                false);

        assertThatThrownBy(ends.failing()::get).rootCause().hasMessage("no space for the model");
        assertThat(ends.other().get()).isEqualTo("iteration 0 of 2");
    }

    @Test
    void terminateThatThrowsDoesNotHideWhyTheRankLeaves() throws Exception {
        Initialize abort = state -> {
            throw new RestartAbort("no data at all");
        };

        terminate = terminate.andThen(state -> {
            throw new IOException("terminate failed too");
        });

        assertLeft(run(builder -> builder.initialize(abort), false), RestartAbort.class, "no data at all");
        assertThat(terminated).hasSize(1);
    }
}

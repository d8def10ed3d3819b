package dev.resiliency.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.LocalJob;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.state.LiveState.StateValue;
import dev.resiliency.state.RecoveryReport.Source;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.testing.FakeCallWrapper;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rules of a state, in jobs of threads. */
@Timeout(60)
class LiveStateTest {
    private static Wrapper.Builder quick(Wrapper.Builder builder) {
        return builder.lastCallWait(Duration.ZERO);
    }

    /** Runs a job; returns what its ranks return. */
    private static <R> List<@Nullable R> run(int ranks, RestartableFunction<R> function) throws Exception {
        try (LocalJob job = new LocalJob(ranks)) {
            List<@Nullable R> results = new ArrayList<>();
            for (Future<@Nullable R> result : job.startAll(LiveStateTest::quick, function)) {
                results.add(result.get(30, TimeUnit.SECONDS));
            }
            return results;
        }
    }

    private static void together(CallWrapper call, String name) throws InterruptedException {
        call.store()
                .barrier(
                        name,
                        IndexSet.range(0, call.state().activeWorldSize()),
                        IndexSet.of(call.state().activeRank()),
                        Store.FOREVER);
    }

    /** Fails a rank for the first time. */
    private static void failOnce(CallWrapper call, int rank) {
        if (call.iteration() == 0 && call.state().initialRank() == rank) {
            throw new IllegalStateException("NaN");
        }
    }

    @Test
    void commitOfAStateIsProgress() throws Exception {
        FakeCallWrapper call = new FakeCallWrapper();
        LiveState state = LiveState.of(call);
        LongBuffer weights = state.longs("weights", 1);
        state.recover(() -> 0L);

        state.commit(1, () -> weights.put(0, 1));

        assertThat(call.pings()).isOne();
    }

    @Test
    void rankThatFailsAtOnceAndCommitsAStepEachTimeDoesNotPause() throws Exception {
        List<RestartReport> restarts = new CopyOnWriteArrayList<>();
        RestartListener listener = new RestartListener() {
            @Override
            public void restarted(RestartReport report) {
                restarts.add(report);
            }
        };
        try (LocalJob job = new LocalJob(1)) {
            job.startAll(builder -> quick(builder).listener(listener), call -> {
                        LiveState state = LiveState.of(call);
                        LongBuffer weights = state.longs("weights", 1);
                        long step = state.recover(() -> 0L);
                        state.commit(step + 1, () -> weights.put(0, step));
                        if (call.iteration() < 6) {
                            throw new IllegalStateException("NaN");
                        }
                        return step;
                    })
                    .get(0)
                    .get(30, TimeUnit.SECONDS);
        }

        assertThat(restarts).hasSize(6).noneMatch(report -> report.phases().containsKey(Phase.BACK_OFF));
    }

    @Test
    void stateOfOneRankSurvivesARestartWithoutTheCheckpoint() throws Exception {
        AtomicInteger reads = new AtomicInteger();

        List<@Nullable String> results = run(1, call -> {
            LiveState state = LiveState.of(call);
            FloatBuffer weights = state.floats("weights", 2);
            long step = state.recover(() -> {
                reads.incrementAndGet();
                weights.put(0, 10);
                return 3L;
            });
            if (call.iteration() == 0) {
                state.commit(step + 1, () -> weights.put(0, weights.get(0) + 1));
                throw new IllegalStateException("NaN");
            }
            return step + " " + weights.get(0) + " " + state.recovery().source();
        });

        assertThat(results).containsExactly("4 11.0 MEMORY");
        assertThat(reads).hasValue(1);
    }

    @Test
    void rankThatIsAStepBehindIsBroughtForward() throws Exception {
        Map<Integer, RecoveryReport> reports = new ConcurrentHashMap<>();

        List<@Nullable String> results = run(3, call -> {
            LiveState state = LiveState.of(call);
            FloatBuffer weights = state.floats("weights", 100_000);
            long step = state.recover(() -> 0L);
            if (call.iteration() == 0) {
                if (call.state().initialRank() == 1) {
                    state.commit(1, () -> weights.put(99_999, 7));
                }
                together(call, "before the fault");
                failOnce(call, 2);
                together(call, "never");
            }
            reports.put(call.state().initialRank(), state.recovery());
            return step + " " + weights.get(99_999);
        });

        assertThat(results).containsOnly("1 7.0");
        assertThat(reports)
                .hasEntrySatisfying(1, kept -> assertThat(kept.source()).isEqualTo(Source.MEMORY));
        assertThat(reports)
                .hasEntrySatisfying(0, behind -> assertThat(behind.ranks()).isEqualTo(IndexSet.of(1)));
        assertThat(reports).hasEntrySatisfying(2, behind -> {
            assertThat(behind.bytes()).isEqualTo(400_000);
            assertThat(behind.toString()).matches("recovered step 1 from ranks \\{1} in \\d+ ms.*; 0 steps lost");
        });
    }

    /** Memory that only its own methods reach. */
    private record Device(ByteBuffer content) implements StateMemory {
        @Override
        public long bytes() {
            return content.capacity();
        }

        @Override
        public void read(long offset, ByteBuffer target) {
            target.put(content.slice((int) offset, target.remaining()));
        }

        @Override
        public void write(long offset, ByteBuffer source) {
            content.slice((int) offset, source.remaining()).put(source);
        }
    }

    @Test
    void buffersOfEachKindReachTheRankThatIsBehind() throws Exception {
        int last = 600_000; // in another chunk than the first

        List<@Nullable String> results = run(2, call -> {
            LiveState state = LiveState.of(call);
            DoubleBuffer doubles = state.doubles("doubles", 3);
            ByteBuffer bytes = state.bytes("bytes", 3);
            ByteBuffer memory = state.memory("memory", () -> ByteBuffer.allocateDirect(3));
            Device device = state.external("device", () -> new Device(ByteBuffer.allocate(last + 1)));
            state.recover(() -> 0L);
            if (call.iteration() == 0) {
                byte value = (byte) (call.state().initialRank() == 0 ? 2 : 1);
                state.commit(value, () -> {
                    doubles.put(2, value + 0.5);
                    bytes.put(2, value);
                    memory.put(2, value);
                    device.content().put(last, value);
                });
                together(call, "before the fault");
                failOnce(call, 1);
                together(call, "never");
            }
            return "%s %s %s %s %s"
                    .formatted(
                            state.recovery().source(),
                            doubles.get(2),
                            bytes.get(2),
                            memory.get(2),
                            device.content().get(last));
        });

        assertThat(results).containsExactly("MEMORY 2.5 2 2 2", "PEERS 2.5 2 2 2");
    }

    @Test
    void valueThatHasGrownIsReceivedInItsNewLength() throws Exception {
        List<@Nullable String> results = run(3, call -> {
            LiveState state = LiveState.of(call);
            StateValue model = state.value("model");
            StateValue name = state.value("name");
            FloatBuffer weights = state.floats("weights", 10);
            long step = state.recover(() -> {
                model.set(new byte[] {1});
                return 0L;
            });
            if (call.iteration() == 0) {
                if (call.state().initialRank() == 1) {
                    byte[] grown = new byte[700_000];
                    grown[699_999] = 9;
                    state.commit(1, () -> {
                        model.set(grown);
                        weights.put(9, 5);
                    });
                }
                together(call, "before the fault");
                failOnce(call, 2);
                together(call, "never");
            }
            return "%d %d %d %d %.0f"
                    .formatted(
                            step,
                            model.get().length,
                            model.get()[model.get().length - 1],
                            name.get().length,
                            weights.get(9));
        });

        assertThat(results).containsOnly("1 700000 9 0 5");
    }

    @Test
    void valuesOfOneStepThatDifferInLengthAreFoundAndAllReadTheCheckpoint() throws Exception {
        List<@Nullable String> results = run(2, call -> {
            LiveState state = LiveState.of(call);
            StateValue model = state.value("model");
            long step = state.recover(() -> {
                model.set(new byte[] {1});
                return 0L;
            });
            if (call.iteration() == 0) {
                state.commit(1, () -> model.set(new byte[10 + call.state().initialRank()]));
                together(call, "before the fault");
                failOnce(call, 1);
                together(call, "never");
            }
            return step + " " + model.get().length + " " + state.recovery().source();
        });

        assertThat(results).containsOnly("0 1 CHECKPOINT");
    }

    @Test
    void stateWithShardsCannotHaveValues() throws Exception {
        assertEndsTheJob(
                call -> {
                    LiveState state = LiveState.of(call);
                    state.value("model");
                    state.sharded(LiveState.Shard.of(0, 1)).floats("momentum", 1);
                    try {
                        return state.recover(() -> 0L);
                    } catch (IllegalStateException refused) {
                        throw new RestartAbort(String.valueOf(refused.getMessage()), refused);
                    }
                },
                "a state with shards cannot have values of any length, such as 'model'");
    }

    @Test
    void updateThatThrowsLeavesNothingOfItBehind() throws Exception {
        List<@Nullable String> results = run(2, call -> {
            LiveState state = LiveState.of(call);
            FloatBuffer weights = state.floats("weights", 2);
            long step = state.recover(() -> 0L);
            if (call.iteration() == 0) {
                together(call, "before the update");
                state.commit(1, () -> {
                    weights.put(0, 1);
                    failOnce(call, 0);
                    weights.put(1, 1);
                });
                together(call, "never");
            }
            return step + " " + weights.get(0) + " " + weights.get(1);
        });

        // Rank 1 may or may not have committed when the fault struck; both have the same, and nothing in between.
        assertThat(results.get(0)).isIn("0 0.0 0.0", "1 1.0 1.0").isEqualTo(results.get(1));
    }

    @Test
    void whereAllUpdatesThrewAllReadTheCheckpointAndTheLossIsReported() throws Exception {
        Phaser inUpdate = new Phaser(2); // a rank that were not in it would still hold the state
        List<@Nullable String> results = run(2, call -> {
            LiveState state = LiveState.of(call);
            FloatBuffer weights = state.floats("weights", 1);
            long step = state.recover(() -> {
                weights.put(0, 5);
                return 5L;
            });
            if (call.iteration() == 0) {
                state.commit(6, () -> weights.put(0, 6));
                state.commit(7, () -> weights.put(0, 7));
                state.commit(8, () -> {
                    weights.put(0, 8);
                    inUpdate.arriveAndAwaitAdvance();
                    throw new IllegalStateException("NaN");
                });
            }
            return step + " " + weights.get(0) + " " + state.recovery().source() + " "
                    + state.recovery().stepsLost();
        });

        assertThat(results).containsOnly("5 5.0 CHECKPOINT 2");
    }

    @Test
    void replicasThatDifferAreFoundAndAllReadTheCheckpoint() throws Exception {
        List<@Nullable String> results = run(3, call -> {
            LiveState state = LiveState.of(call);
            FloatBuffer weights = state.floats("weights", 4);
            long step = state.recover(() -> {
                weights.put(0, 1);
                return 1L;
            });
            if (call.iteration() == 0) {
                state.commit(2, () -> weights.put(0, call.state().initialRank() == 1 ? 3 : 2)); // one has gone astray
                together(call, "before the fault");
                failOnce(call, 0);
                together(call, "never");
            }
            return step + " " + weights.get(0) + " " + state.recovery().source();
        });

        assertThat(results).containsOnly("1 1.0 CHECKPOINT");
    }

    @Test
    void recoveryEndsWithTheIterationWhenAFaultStrikesInIt() throws Exception {
        Map<Integer, RecoveryReport> reports = new ConcurrentHashMap<>();

        List<@Nullable Long> results = run(3, call -> {
            LiveState state = LiveState.of(call);
            state.floats("weights", 100_000);
            if (call.iteration() == 1 && call.state().initialRank() == 2) {
                call.store().await(List.of("live-state/holding/0", "live-state/holding/1"), Store.FOREVER);
                throw new IllegalStateException("NaN while the others recover");
            }
            state.recover(() -> 5L);
            if (call.iteration() == 0) {
                together(call, "before the fault");
                failOnce(call, 0);
                together(call, "never");
            }
            reports.put(call.state().initialRank(), state.recovery());
            return (long) call.iteration();
        });

        assertThat(results).containsOnly(2L);
        assertThat(reports.values())
                .hasSize(3)
                .allSatisfy(report -> assertThat(report.source()).isEqualTo(Source.MEMORY));
    }

    private static void assertEndsTheJob(RestartableFunction<Long> function, String... message) throws Exception {
        try (LocalJob job = new LocalJob(3)) {
            for (Future<@Nullable Long> result : job.startAll(LiveStateTest::quick, function)) {
                assertThatThrownBy(() -> result.get(30, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .cause()
                        .isInstanceOf(RestartAbort.class)
                        .hasMessageContainingAll(message);
            }
        }
    }

    @Test
    void ranksWithOtherBuffersAreNamedWithTheBuffer() throws Exception {
        assertEndsTheJob(
                call -> {
                    LiveState state = LiveState.of(call);
                    state.longs("seed", 1);
                    state.floats("weights", call.state().initialRank() == 2 ? 11 : 10);
                    return state.recover(() -> 0L);
                },
                "of ranks {2}",
                "rank 2 has the buffer 'weights' of 11 floats, and the other of 10 floats");
    }

    @Test
    void ranksThatReadAnotherCheckpointAreNamed() throws Exception {
        assertEndsTheJob(
                call -> LiveState.of(call).recover(() -> call.state().initialRank() == 1 ? 200L : 100L),
                "differs on ranks {1}",
                "the same checkpoint");
    }

    @Test
    void stateOfAnEarlierIterationThrows() throws Exception {
        CompletableFuture<LiveState> stale = new CompletableFuture<>();
        CountDownLatch over = new CountDownLatch(1);
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread leftBehind = new Thread(() -> {
            try {
                over.await();
                stale.join().commit(100, () -> {
                    throw new AssertionError("the update of a stale state ran");
                });
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        leftBehind.start();

        run(1, call -> {
            LiveState state = LiveState.of(call);
            assertThat(LiveState.of(call)).isSameAs(state);
            state.recover(() -> 0L);
            stale.complete(state); // of the first iteration
            failOnce(call, 0);
            over.countDown();
            leftBehind.join();
            state.commit(1, () -> {});
            return 0;
        });

        assertThat(thrown.get()).isInstanceOf(RestartSignal.class);
    }

    @Test
    void wrongUseIsRefused() throws Exception {
        run(1, call -> {
            LiveState state = LiveState.of(call);
            state.floats("weights", 2);
            assertThatThrownBy(() -> state.floats("weights", 3))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the buffer 'weights' was 2 floats, and is now 3 floats");
            assertThatThrownBy(() -> state.longs("weights", 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> state.floats(" ", 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> state.floats("negative", -1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> state.memory(
                            "read-only", () -> ByteBuffer.allocate(1).asReadOnlyBuffer()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> state.commit(1, () -> {})).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(state::recovery).isInstanceOf(IllegalStateException.class);

            state.recover(() -> 4L);

            assertThatThrownBy(() -> state.recover(() -> 4L)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> state.bytes("late", 1)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> state.commit(4, () -> {})).isInstanceOf(IllegalArgumentException.class);
            state.commit(5, () -> {});
            assertThatThrownBy(() -> state.commit(6, () -> {
                        throw new UncheckedUpdate();
                    }))
                    .isInstanceOf(UncheckedUpdate.class);
            assertThatThrownBy(() -> state.commit(6, () -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("after step 5 has failed");
            return 0;
        });
    }

    private static final class UncheckedUpdate extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void bufferThatIsNewInAnIterationMakesTheStateIncomplete() throws Exception {
        List<@Nullable Source> results = run(1, call -> {
            LiveState state = LiveState.of(call);
            state.floats("weights", 2);
            if (call.iteration() > 0) {
                state.floats("average", 2);
            }
            state.recover(() -> 0L);
            failOnce(call, 0);
            return state.recovery().source();
        });

        assertThat(results).containsExactly(Source.CHECKPOINT);
    }
}

package dev.resiliency.state;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.LiveState.StateValue;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A training whose state after each step is a known function of the one before, so that a step that is lost, repeated or
 * torn shows for ever. All ranks of all processes share one instance.
 */
final class Trainee {
    static final int CHECKPOINT_INTERVAL = 10;
    /** Bytes of a step in its history. */
    private static final int HISTORY = 7;

    private final int size;
    private final long steps;
    /** After how many steps shards are copied; 0: the state has none. */
    private final int copyEvery;
    /** The step of the checkpoint: its contents follow from that. */
    private final AtomicLong checkpoint = new AtomicLong();

    private final List<RecoveryReport> recoveries = new CopyOnWriteArrayList<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();

    /** Breaks a process at known places: each may throw, or end its session. */
    interface Faults {
        default void beforeRecovery(CallWrapper call) {}

        default void beforeStep(CallWrapper call, long step) {}

        default void inUpdate(CallWrapper call, long step) {}
    }

    /** Creates a training of {@code size} numbers. */
    Trainee(int size, long steps) {
        this(size, steps, 0);
    }

    /** Creates a training whose ranks also hold a shard each, of about as many numbers. */
    Trainee(int size, long steps, int copyEvery) {
        this.size = size;
        this.steps = steps;
        this.copyEvery = copyEvery;
    }

    /** Returns the numbers of a shard, which are more for a higher one. */
    private int sizeOf(int shard) {
        return size + shard;
    }

    private static double next(double before, long step, int shard, int index) {
        return before * 0.5 + (step * 17 + index + 1000L * shard) % 1013;
    }

    private double[] computeShard(long step, int shard) {
        double[] momentum = new double[sizeOf(shard)];
        for (long each = 1; each <= step; each++) {
            for (int i = 0; i < momentum.length; i++) {
                momentum[i] = next(momentum[i], each, shard, i);
            }
        }
        return momentum;
    }

    private @Nullable DoubleBuffer momentum(CallWrapper call, LiveState state) {
        if (copyEvery == 0) {
            return null;
        }
        int rank = call.state().activeRank();
        return state.sharded(LiveState.Shard.of(rank, call.state().activeWorldSize())
                        .copyEvery(copyEvery)
                        .host(initialRank -> "host-" + rank % 2))
                .doubles("momentum", sizeOf(rank));
    }

    /** Returns the number at {@code index} after one more step. */
    private static float next(float before, long step, int index) {
        return before * 0.75f + (step * 31 + index) % 1009;
    }

    private static long next(long before, long step) {
        return before * 6364136223846793005L + step;
    }

    /** Returns the history of all steps, which grows by some bytes with each of them. */
    private static byte[] history(long step) {
        byte[] history = new byte[Math.toIntExact(step * HISTORY)];
        for (int i = 0; i < history.length; i++) {
            history[i] = (byte) (i / HISTORY * 31 + i);
        }
        return history;
    }

    /** Returns the state after this step. */
    static void compute(long step, float[] weights, long[] seed) {
        Arrays.fill(weights, 0);
        seed[0] = 1;
        for (long each = 1; each <= step; each++) {
            for (int i = 0; i < weights.length; i++) {
                weights[i] = next(weights[i], each, i);
            }
            seed[0] = next(seed[0], each);
        }
    }

    /** The function to wrap, on the process that these faults break; returns a number that depends on every step. */
    long train(CallWrapper call, Faults faults) throws Exception {
        LiveState state = LiveState.of(call);
        FloatBuffer weights = state.floats("weights", size);
        LongBuffer seed = state.longs("seed", 1);
        DoubleBuffer momentum = momentum(call, state);
        StateValue history = momentum == null ? state.value("history") : null;
        int shard = call.state().activeRank();
        faults.beforeRecovery(call);
        long step = state.recover(() -> {
            long read = checkpoint.get();
            compute(read, weights.array(), seed.array());
            if (momentum != null) {
                momentum.put(0, computeShard(read, shard));
            }
            if (history != null) {
                history.set(history(read));
            }
            return read;
        });
        recoveries.add(state.recovery());
        check(call, step, weights, seed, momentum, history);
        while (step < steps) {
            call.ping();
            long next = ++step;
            together(call, next);
            faults.beforeStep(call, next);
            state.commit(next, () -> {
                for (int i = 0; i < size; i++) {
                    weights.put(i, next(weights.get(i), next, i));
                    if (i == size / 2) {
                        faults.inUpdate(call, next);
                    }
                }
                seed.put(0, next(seed.get(0), next));
                for (int i = 0; momentum != null && i < sizeOf(shard); i++) {
                    momentum.put(i, next(momentum.get(i), next, shard, i));
                }
                if (history != null) {
                    byte[] grown = Arrays.copyOf(history.get(), history.get().length + HISTORY);
                    System.arraycopy(history(next), history.get().length, grown, history.get().length, HISTORY);
                    history.set(grown);
                }
            });
            if (call.state().activeRank() == 0 && next % CHECKPOINT_INTERVAL == 0) {
                checkpoint.set(next);
            }
        }
        check(call, step, weights, seed, momentum, history);
        return seed.get(0);
    }

    /** Waits until all ranks have come to this step, as a collective does. */
    private static void together(CallWrapper call, long step) throws InterruptedException {
        State state = call.state();
        call.store()
                .barrier(
                        "step-" + step,
                        IndexSet.range(0, state.activeWorldSize()),
                        IndexSet.of(state.activeRank()),
                        Store.FOREVER);
    }

    private void check(
            CallWrapper call,
            long step,
            FloatBuffer weights,
            LongBuffer seed,
            @Nullable DoubleBuffer momentum,
            @Nullable StateValue history) {
        float[] expected = new float[size];
        long[] expectedSeed = new long[1];
        compute(step, expected, expectedSeed);
        boolean isShardRight = momentum == null
                || momentum.equals(
                        DoubleBuffer.wrap(computeShard(step, call.state().activeRank())));
        boolean isHistoryRight = history == null || Arrays.equals(history.get(), history(step));
        if (!weights.equals(FloatBuffer.wrap(expected))
                || seed.get(0) != expectedSeed[0]
                || !isShardRight
                || !isHistoryRight) {
            violations.add("initial rank " + call.state().initialRank() + " has another state than that of step " + step
                    + " in iteration " + call.iteration());
        }
    }

    /** Returns what {@link #train} returns at the end. */
    long expectedResult() {
        long[] seed = new long[1];
        compute(steps, new float[0], seed);
        return seed[0];
    }

    List<RecoveryReport> recoveries() {
        return recoveries;
    }

    List<String> violations() {
        return violations;
    }
}

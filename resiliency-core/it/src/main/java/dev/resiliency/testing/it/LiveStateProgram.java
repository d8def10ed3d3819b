package dev.resiliency.testing.it;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.state.LiveState;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.Arrays;

/**
 * The program of one rank in {@link LiveStateIT}: a training whose state after each step is a known function of the one
 * before. It has no checkpoint but the initial state. System properties:
 *
 * <ul>
 *   <li>{@code storePort}: the port of a standalone store server; if it is not set, the environment names the store
 *   <li>{@code ranks}: how many ranks the training needs
 *   <li>{@code steps}: the last step
 *   <li>{@code copyEvery}: if it is set, each rank also holds a shard, which is copied after so many steps; odd ranks and even
 *       ones count as those of two hosts
 * </ul>
 */
final class LiveStateProgram {
    private static final int FLOATS = 1_000_000;
    private static final int LONGS = 1_000;
    private static final long STEPS = Long.getLong("steps", 100);
    private static final int SHARD = 200_000;
    private static final int COPY_EVERY = Integer.getInteger("copyEvery", 0);

    private LiveStateProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        Wrapper.Builder builder = Wrapper.builder()
                .softTimeout(Duration.ofSeconds(20))
                .hardTimeout(Duration.ofSeconds(30))
                .elasticity(Elasticity.defaults()
                        .minRanks(Integer.getInteger("ranks", 1))
                        .joinWait(Duration.ZERO));
        Integer port = Integer.getInteger("storePort");
        if (port != null) {
            builder.store(StoreFactory.external("127.0.0.1", port, Duration.ofMinutes(2)));
        }
        System.out.println("RESULT " + builder.build().call(LiveStateProgram::train));
    }

    @SuppressWarnings("SystemOut")
    private static int train(CallWrapper call) throws Exception {
        LiveState state = LiveState.of(call);
        FloatBuffer weights = state.floats("weights", FLOATS);
        LongBuffer seeds = state.memory("seeds", () -> ByteBuffer.allocateDirect(LONGS * Long.BYTES))
                .asLongBuffer();
        int shard = call.state().activeRank();
        DoubleBuffer momentum = COPY_EVERY == 0
                ? DoubleBuffer.allocate(0)
                : state.sharded(LiveState.Shard.of(shard, call.state().activeWorldSize())
                                .copyEvery(COPY_EVERY)
                                .host(initialRank -> "host-" + shard % 2))
                        .doubles("momentum", SHARD + shard);
        System.out.println("ENTERED iteration " + call.iteration());
        long step = state.recover(() -> {
            compute(0, weights.array(), seeds);
            Arrays.fill(momentum.array(), 0);
            return 0L;
        });
        RecoveryReport report = state.recovery();
        System.out.println("RECOVERED step %d from %s %s, %d lost, %s in iteration %d"
                .formatted(
                        step,
                        report.source(),
                        report.ranks(),
                        report.stepsLost(),
                        hash(weights, seeds) == expected(step) && isRight(momentum, step, shard) ? "RIGHT" : "WRONG",
                        call.iteration()));
        while (step < STEPS) {
            call.ping();
            long next = ++step;
            together(call, next);
            state.commit(next, () -> {
                advance(next, weights.array(), seeds);
                advance(next, momentum.array(), shard);
            });
            System.out.println("STEP " + next);
        }
        if (!isRight(momentum, step, shard)) {
            throw new IllegalStateException("shard " + shard + " is wrong at the end");
        }
        return hash(weights, seeds);
    }

    private static void advance(long step, double[] momentum, int shard) {
        for (int i = 0; i < momentum.length; i++) {
            momentum[i] = momentum[i] * 0.5 + (step * 17 + i + 1000L * shard) % 1013;
        }
    }

    private static boolean isRight(DoubleBuffer momentum, long step, int shard) {
        double[] expected = new double[momentum.capacity()];
        for (long each = 1; each <= step; each++) {
            advance(each, expected, shard);
        }
        return momentum.equals(DoubleBuffer.wrap(expected));
    }

    private static void together(CallWrapper call, long step) throws InterruptedException {
        State state = call.state();
        call.store()
                .barrier(
                        "step-" + step,
                        IndexSet.range(0, state.activeWorldSize()),
                        IndexSet.of(state.activeRank()),
                        Store.FOREVER);
    }

    private static void advance(long step, float[] weights, LongBuffer seeds) {
        for (int i = 0; i < weights.length; i++) {
            weights[i] = weights[i] * 0.75f + (step * 31 + i) % 1009;
        }
        for (int i = 0; i < LONGS; i++) {
            seeds.put(i, seeds.get(i) * 6_364_136_223_846_793_005L + step);
        }
    }

    private static void compute(long step, float[] weights, LongBuffer seeds) {
        Arrays.fill(weights, 1);
        for (int i = 0; i < LONGS; i++) {
            seeds.put(i, i);
        }
        for (long each = 1; each <= step; each++) {
            advance(each, weights, seeds);
        }
    }

    private static int hash(FloatBuffer weights, LongBuffer seeds) {
        return 31 * Arrays.hashCode(weights.array()) + seeds.clear().hashCode();
    }

    /** Returns the hash of the state after this step in a run without faults. */
    static int expected(long step) {
        float[] weights = new float[FLOATS];
        LongBuffer seeds = LongBuffer.allocate(LONGS);
        compute(step, weights, seeds);
        return hash(FloatBuffer.wrap(weights), seeds);
    }
}

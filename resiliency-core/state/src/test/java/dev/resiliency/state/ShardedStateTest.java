package dev.resiliency.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.LocalJob;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.state.LiveState.Shard;
import dev.resiliency.state.RecoveryReport.Source;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.spi.InMemoryStore;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Shards with copies, in jobs of threads: ranks 0 and 2 are on one host, 1 and 3 on another, so ranks 0 and 1 keep each other's
 * copies, as do 2 and 3. A copy is made after every fifth step, from the first on.
 */
@Timeout(90)
class ShardedStateTest {
    private static final int RANKS = 4;

    /**
     * Ends the sessions of these ranks so many steps after the second copy.
     *
     * @param copied the step of that
     */
    private record Deaths(int stepsAfter, Set<Integer> ranks, AtomicLong copied) {
        Deaths(int stepsAfter, Integer... ranks) {
            this(stepsAfter, Set.of(ranks), new AtomicLong());
        }
    }

    /** Runs a job whose dead ranks are replaced; returns the reports of the second iteration by active rank. */
    private static Map<Integer, RecoveryReport> run(Deaths deaths) throws Exception {
        Map<Integer, RecoveryReport> reports = new ConcurrentHashMap<>();
        Map<Integer, InMemoryStore> sessions = new ConcurrentHashMap<>();
        try (LocalJob job = new LocalJob(RANKS)) {
            List<Future<@Nullable Float>> founders = new ArrayList<>();
            for (int rank = 0; rank < RANKS; rank++) {
                int own = rank;
                founders.add(job.start(rank, builder -> settings(builder, job, own, sessions), call -> {
                    Float sum = train(call, deaths, reports, sessions);
                    return sum;
                }));
            }
            List<Future<@Nullable Float>> living = new ArrayList<>();
            for (int rank = 0; rank < RANKS; rank++) {
                if (!deaths.ranks().contains(rank)) {
                    living.add(founders.get(rank));
                } else {
                    Future<@Nullable Float> dead = founders.get(rank);
                    assertThatThrownBy(() -> dead.get(60, TimeUnit.SECONDS)).isNotNull();
                    living.add(job.startAnother(
                            rank,
                            builder -> settings(builder, job, RANKS, new ConcurrentHashMap<>()),
                            call -> train(call, deaths, reports, Map.of())));
                }
            }
            for (Future<@Nullable Float> each : living) {
                assertThat(each.get(60, TimeUnit.SECONDS)).isZero();
            }
        }
        return reports;
    }

    private static Wrapper.Builder settings(
            Wrapper.Builder builder, LocalJob job, int rank, Map<Integer, InMemoryStore> sessions) {
        return builder.lastCallWait(Duration.ZERO)
                .elasticity(Elasticity.defaults()
                        .minRanks(RANKS)
                        .joinWait(Duration.ZERO)
                        .rendezvousTimeout(Duration.ofSeconds(30)))
                .store((environment, call) -> {
                    InMemoryStore opened = job.store().newSession();
                    sessions.put(rank, opened);
                    return opened;
                });
    }

    /** Each number of shard r is r * 1000 + step after each step; returns how far this rank's is from that: 0. */
    private static Float train(
            CallWrapper call, Deaths deaths, Map<Integer, RecoveryReport> reports, Map<Integer, InMemoryStore> sessions)
            throws Exception {
        int rank = call.state().activeRank();
        LiveState state = LiveState.of(call);
        FloatBuffer weights = state.floats("weights", 3);
        FloatBuffer momentum = state.sharded(Shard.of(rank, RANKS).copyEvery(5).host(each -> "host " + rank % 2))
                .floats("momentum", 100_000 + rank);
        long step = state.recover(() -> {
            fill(weights, 0);
            fill(momentum, rank * 1000f);
            return 0L;
        });
        if (call.iteration() == 1) {
            reports.put(rank, state.recovery());
        }
        int copies = 0;
        long end = call.iteration() == 0 ? Long.MAX_VALUE : step + 10;
        while (step < end) {
            long next = ++step;
            call.store().barrier("step-" + next, IndexSet.range(0, RANKS), IndexSet.of(rank), Store.FOREVER);
            state.commit(next, () -> {
                fill(weights, (float) next);
                fill(momentum, rank * 1000f + (float) next);
            });
            if (call.iteration() == 0 && next % 5 == 1 && isCopied(call.store(), next)) {
                copies++;
                deaths.copied().set(next);
            }
            if (call.iteration() == 0 && copies == 2 && next == deaths.copied().get() + deaths.stepsAfter()) {
                call.store().barrier("loss", IndexSet.range(0, RANKS), IndexSet.of(rank), Store.FOREVER);
                // one for all: the loss of one would interrupt the others before they die
                if (rank == Collections.min(deaths.ranks())) {
                    deaths.ranks()
                            .forEach(dying ->
                                    Objects.requireNonNull(sessions.get(dying)).abandon());
                }
                call.store().await(List.of("never"), Store.FOREVER);
            }
        }
        return momentum.get(momentum.capacity() - 1) - rank * 1000f - step;
    }

    /** Waits for a copy, which is left out if a rank is not quite ready with the one before: steps take no time here. */
    private static boolean isCopied(Store store, long step) throws InterruptedException {
        return store.get("live-state/copies/" + step + "/outcome", Store.FOREVER)
                .text()
                .equals("complete");
    }

    private static void fill(FloatBuffer buffer, float value) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, value);
        }
    }

    @Test
    void shardOfALostRankComesFromItsBuddyAndAllGoBackToTheStepOfTheCopy() throws Exception {
        Deaths deaths = new Deaths(2, 2);
        Map<Integer, RecoveryReport> reports = run(deaths);

        assertThat(reports.values()).hasSize(RANKS).allSatisfy(report -> {
            assertThat(report.step()).isEqualTo(deaths.copied().get());
            assertThat(report.stepsLost()).isEqualTo(2);
        });
        assertThat(reports.values())
                .extracting(RecoveryReport::source)
                .containsOnly(Source.MEMORY, Source.PEERS)
                .containsOnlyOnce(Source.PEERS);
    }

    @Test
    void lossRightAfterACopyCostsNoStep() throws Exception {
        Deaths deaths = new Deaths(0, 1);
        assertThat(run(deaths).values())
                .hasSize(RANKS)
                .allSatisfy(report -> assertThat(report.stepsLost()).isZero())
                .allSatisfy(report ->
                        assertThat(report.step()).isEqualTo(deaths.copied().get()));
    }

    @Test
    void whereAWholeHostIsLostTheOtherOneHasItsShards() throws Exception {
        Deaths deaths = new Deaths(2, 1, 3);
        assertThat(run(deaths).values())
                .hasSize(RANKS)
                .allSatisfy(report -> assertThat(report.stepsLost()).isEqualTo(2))
                .allSatisfy(report ->
                        assertThat(report.step()).isEqualTo(deaths.copied().get()))
                .extracting(RecoveryReport::source)
                .contains(Source.PEERS)
                .doesNotContain(Source.CHECKPOINT);
    }

    @Test
    void whereARankIsLostWithItsBuddyAllReadTheCheckpoint() throws Exception {
        assertThat(run(new Deaths(2, 0, 1)).values())
                .extracting(RecoveryReport::source)
                .containsOnly(Source.CHECKPOINT);
    }

    @Test
    void whereNoRankIsLostNobodyGoesBack() throws Exception {
        Map<Integer, String> results = new ConcurrentHashMap<>();
        try (LocalJob job = new LocalJob(3)) {
            for (Future<?> each : job.<Integer>startAll(builder -> builder.lastCallWait(Duration.ZERO), call -> {
                int rank = call.state().activeRank();
                LiveState state = LiveState.of(call);
                FloatBuffer momentum = state.sharded(Shard.of(rank, 3)).floats("momentum", 10);
                long step = state.recover(() -> 0L);
                if (call.iteration() == 0) {
                    for (long next = 1; next <= 3; next++) {
                        float value = (float) (next * 10 + rank);
                        state.commit(next, () -> fill(momentum, value));
                    }
                    call.store().barrier("fault", IndexSet.range(0, 3), IndexSet.of(rank), Store.FOREVER);
                    if (rank == 1) {
                        throw new IllegalStateException("NaN");
                    }
                    call.store().await(List.of("never"), Store.FOREVER);
                }
                results.put(
                        rank,
                        step + " " + momentum.get(9) + " " + state.recovery().source());
                return 0;
            })) {
                each.get(60, TimeUnit.SECONDS);
            }
        }

        assertThat(results).isEqualTo(Map.of(0, "3 30.0 MEMORY", 1, "3 31.0 MEMORY", 2, "3 32.0 MEMORY"));
    }

    @Test
    void wrongUseIsRefused() throws Exception {
        assertThatThrownBy(() -> Shard.of(3, 3)).hasMessage("shard 3 of 3 does not exist");
        assertThatThrownBy(() -> Shard.of(0, 1).copyEvery(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Shard.of(0, 1).bytesPerSecond(1000)).isInstanceOf(IllegalArgumentException.class);
        try (LocalJob job = new LocalJob(1)) {
            job.<Integer>start(0, builder -> builder, call -> {
                        LiveState state = LiveState.of(call);
                        StateBuffers shard = state.sharded(Shard.of(0, 1));
                        shard.floats("momentum", 3);
                        assertThatThrownBy(() -> state.floats("momentum", 3))
                                .hasMessage("the buffer 'momentum' is both replicated and sharded");
                        assertThatThrownBy(() -> state.sharded(Shard.of(0, 2)))
                                .isInstanceOf(IllegalStateException.class);
                        state.recover(() -> 0L);
                        assertThatThrownBy(() -> shard.floats("late", 3)).isInstanceOf(IllegalStateException.class);
                        return 0;
                    })
                    .get(60, TimeUnit.SECONDS);
        }
    }
}

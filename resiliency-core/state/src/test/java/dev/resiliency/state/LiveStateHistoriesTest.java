package dev.resiliency.state;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.LocalJob;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.store.spi.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * Random histories of a job whose ranks are threads: processes die and are replaced, functions and updates throw, at any
 * point, also in a recovery, also two at once. After each recovery every replica equals the function of its step.
 */
@Timeout(300)
class LiveStateHistoriesTest {
    private static final int RANKS = 3;
    private static final int STEPS = 60;
    private static final int FLOATS = 150_000; // three chunks
    private static final int SHARD = 70_000; // three chunks of doubles

    /** Where the ranks of all histories have their state from. */
    private static final Set<RecoveryReport.Source> SOURCES = ConcurrentHashMap.newKeySet();

    private static final Set<RecoveryReport.Source> SOURCES_OF_SHARDS = ConcurrentHashMap.newKeySet();

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.resiliency");

    @BeforeEach
    void logLess() {
        log.setLevel(Level.OFF);
    }

    @AfterAll
    static void peersHaveSentTheState() {
        assertThat(SOURCES).contains(RecoveryReport.Source.PEERS, RecoveryReport.Source.MEMORY);
        assertThat(SOURCES_OF_SHARDS).contains(RecoveryReport.Source.PEERS, RecoveryReport.Source.MEMORY);
    }

    @AfterEach
    void logAgain() {
        log.setLevel(null);
    }

    static List<Integer> seeds() {
        int count = Integer.getInteger("resiliency.histories", 8);
        int first = Integer.getInteger("resiliency.history", 1);
        List<Integer> seeds = new ArrayList<>();
        for (int seed = first; seed < first + count; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyReplicaEqualsTheFunctionOfItsStepWhateverFails(int seed) throws Exception {
        History history = run(new History(RANKS, new Trainee(FLOATS, STEPS), seed));
        assertThat(history.training.recoveries())
                .as("seed %d", seed)
                .hasSizeGreaterThan(RANKS)
                .allSatisfy(report -> {
                    if (report.source() != RecoveryReport.Source.CHECKPOINT) {
                        assertThat(report.stepsLost()).isZero();
                    }
                    SOURCES.add(report.source());
                });
    }

    /** Two hosts of two ranks each; a copy of all shards after every third step. */
    @ParameterizedTest
    @MethodSource("seeds")
    void everyShardEqualsTheFunctionOfItsStepWhateverFails(int seed) throws Exception {
        History history = run(new History(4, new Trainee(SHARD, STEPS, 3), 1000 + seed));

        history.training.recoveries().forEach(report -> SOURCES_OF_SHARDS.add(report.source()));
    }

    private static History run(History history) throws Exception {
        try (LocalJob job = new LocalJob(history.ranks)) {
            assertThat(history.run(job))
                    .as("results with seed %d", history.seed)
                    .containsOnly(history.training.expectedResult())
                    .hasSize(history.ranks);
        } finally {
            history.later.shutdownNow();
        }
        assertThat(history.training.violations()).as("seed %d", history.seed).isEmpty();
        return history;
    }

    /** One job with its faults. */
    private static final class History {
        private final int ranks;
        private final int seed;
        private final Trainee training;
        private final ScheduledExecutorService later = Executors.newScheduledThreadPool(1);
        /** Guarded by this. */
        private final Random random;
        /** Guarded by this. */
        private int faultsLeft;

        History(int ranks, Trainee training, int seed) {
            this.ranks = ranks;
            this.training = training;
            this.seed = seed;
            random = new Random(seed);
            faultsLeft = 4 + random.nextInt(5);
        }

        /** Returns 0 if nothing breaks now, as it does once in so many times; else a number up to {@code kinds}. */
        private synchronized int strikes(int oneIn, int kinds) {
            if (faultsLeft == 0 || random.nextInt(oneIn) > 0) {
                return 0;
            }
            faultsLeft--;
            return 1 + random.nextInt(kinds);
        }

        private synchronized long microseconds() {
            return random.nextInt(8_000);
        }

        /** Runs the job, in which every process that dies is replaced; returns the results. */
        List<Long> run(LocalJob job) throws Exception {
            List<CompletableFuture<Long>> results = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                int own = rank;
                CompletableFuture<Long> result = new CompletableFuture<>();
                Thread supervisor = new Thread(() -> supervise(job, own, result), "supervisor-" + rank);
                supervisor.setDaemon(true);
                supervisor.start();
                results.add(result);
            }
            List<Long> values = new ArrayList<>();
            for (CompletableFuture<Long> result : results) {
                values.add(result.get(60, TimeUnit.SECONDS));
            }
            return values;
        }

        private void supervise(LocalJob job, int rank, CompletableFuture<Long> result) {
            Breaking process = new Breaking(job);
            Future<@Nullable Long> running = job.start(rank, process::settings, process::train);
            while (!result.isDone()) {
                try {
                    Long value = running.get();
                    result.complete(value == null ? 0L : value);
                } catch (ExecutionException died) {
                    if (!process.isDead) {
                        result.completeExceptionally(died);
                    }
                    process = new Breaking(job);
                    running = job.startAnother(rank, process::settings, process::train);
                } catch (InterruptedException e) {
                    result.completeExceptionally(e);
                }
            }
        }

        /** One process. */
        private final class Breaking implements Trainee.Faults {
            private final LocalJob job;
            private volatile @Nullable InMemoryStore session;
            private volatile boolean isDead;

            Breaking(LocalJob job) {
                this.job = job;
            }

            Wrapper.Builder settings(Wrapper.Builder builder) {
                return builder.lastCallWait(Duration.ZERO)
                        .elasticity(Elasticity.defaults()
                                .minRanks(ranks)
                                .joinWait(Duration.ZERO)
                                .rendezvousTimeout(Duration.ofSeconds(20)))
                        .store((environment, call) -> {
                            InMemoryStore opened = job.store().newSession();
                            session = opened;
                            return opened;
                        });
            }

            Long train(CallWrapper call) throws Exception {
                return training.train(call, this);
            }

            /** Ends the session, as the death of the process does; its threads live on until they are stopped. */
            private void die() {
                isDead = true;
                InMemoryStore own = session;
                if (own != null) {
                    own.abandon();
                }
            }

            @Override
            public void beforeRecovery(CallWrapper call) {
                switch (call.iteration() == 0 ? 0 : strikes(6, 3)) { // at first there is nothing to recover
                    case 1 -> die();
                    case 2 -> throw new IllegalStateException("fails before the recovery");
                    case 3 -> {
                        var unused = later.schedule(this::die, microseconds(), TimeUnit.MICROSECONDS);
                    }
                    default -> {}
                }
            }

            @Override
            public void beforeStep(CallWrapper call, long step) {
                switch (strikes(20, 2)) {
                    case 1 -> die();
                    case 2 -> throw new IllegalStateException("fails before step " + step);
                    default -> {}
                }
            }

            @Override
            public void inUpdate(CallWrapper call, long step) {
                switch (strikes(20, 2)) {
                    case 1 -> die();
                    case 2 -> throw new IllegalStateException("fails in the update of step " + step);
                    default -> {}
                }
            }
        }
    }
}

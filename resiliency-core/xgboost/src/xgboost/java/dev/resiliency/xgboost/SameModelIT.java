package dev.resiliency.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** At a constant world, a training that is interrupted ends with the model of one that is not, to the byte. */
class SameModelIT {
    private static final int RANKS = 3;
    private static final int ROUNDS = 20;
    private static final int STARTS = 4;

    @TempDir
    private Path directory;

    /** The results of runs without faults, which the tests share. */
    private static final Map<Variant, String> WHOLE = new EnumMap<>(Variant.class);

    /** Runs a job; returns its result, which ends with the digest of the model. */
    private String run(Variant variant, String faults) throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                ProcessJob job = BoostingJob.of(RANKS, directory.resolve(faults.isEmpty() ? "whole" : "interrupted"))
                        .javaOptions(
                                "-DstorePort=" + server.port(),
                                "-DminRanks=" + RANKS,
                                "-Dvariant=" + variant,
                                "-Dfaults=" + faults)
                        .start()) {
            supervise(job);
            return BoostingJob.awaitResult(job.ranks());
        }
    }

    private String whole(Variant variant) throws Exception {
        String result = WHOLE.get(variant);
        if (result == null) {
            result = run(variant, "");
            WHOLE.put(variant, result);
        }
        return result;
    }

    @Test
    void afterAnExceptionTheModelIsTheSame() throws Exception {
        assertThat(run(Variant.PLAIN, "exception:1@10")).isEqualTo(whole(Variant.PLAIN));
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = {"PLAIN", "CARRIED"})
    void modelIsTheSameWhateverIsTrained(Variant variant) throws Exception {
        assertThat(run(variant, "exception:1@7,exception:0@9")).isEqualTo(whole(variant));
    }

    /** Why {@link LiveBooster} seeds each round anew. */
    @Tag("full")
    @Test
    void generatorThatGoesOnFromRoundToRoundLeadsToAnotherModel() throws Exception {
        assertThat(run(Variant.CARRIED, "exception:1@10")).isNotEqualTo(whole(Variant.CARRIED));
    }

    /** One rank throws, and one is killed and replaced, at any round; the others wait for the replacement. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void modelIsTheSameAfterRandomFaults(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        int killed = random.nextInt(RANKS);
        String faults = "exception:%d@%d,%s:%d@%d"
                .formatted(
                        random.nextInt(RANKS),
                        1 + random.nextInt(ROUNDS),
                        List.of("kill", "sigstop").get(random.nextInt(2)),
                        killed,
                        1 + random.nextInt(ROUNDS));
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                ProcessJob job = BoostingJob.of(RANKS, directory)
                        .javaOptions(
                                "-DstorePort=" + server.port(),
                                "-DminRanks=" + RANKS,
                                "-DsoftMillis=2000",
                                "-DhardMillis=3000",
                                "-Dfaults=" + faults)
                        .start()) {
            supervise(job);

            assertThat(BoostingJob.awaitResult(job.ranks())).as(faults).isEqualTo(whole(Variant.PLAIN));
        }
    }

    /**
     * Starts ranks again until they end well, as a supervisor does: those that are killed, and those that XGBoost has left
     * waiting for ever, which its event loop does if a connection ends at an unlucky moment.
     */
    private static void supervise(ProcessJob job) throws Exception {
        ExecutorService supervisors = Executors.newCachedThreadPool();
        try {
            List<Future<Integer>> exits = new ArrayList<>();
            for (RankProcess rank : job.ranks()) {
                exits.add(supervisors.submit(() -> {
                    RankProcess latest = rank;
                    for (int start = 1; latest.awaitExit() != 0 && start < STARTS; start++) {
                        latest = job.start(rank.rank(), "-Dfaults=");
                    }
                    return latest.awaitExit();
                }));
            }
            for (Future<Integer> exit : exits) {
                assertThat(exit.get()).isZero();
            }
        } finally {
            supervisors.shutdownNow();
        }
    }

    @Tag("full")
    @Test
    void replacementReceivesTheModelOfTheOthers() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                ProcessJob job = BoostingJob.of(4, directory)
                        .javaOptions("-DstorePort=" + server.port(), "-Drounds=3000", "-Dfaults=kill:2@10")
                        .start()) {
            for (RankProcess rank : job.others(2)) {
                rank.awaitLine("WORLD 3 in iteration 1");
            }
            job.start(2, "-Dfaults=");
            job.rank(2).awaitThat("a round", () -> job.rank(2).lines().stream().anyMatch(line -> line.startsWith("ROUND 2")));

            assertThat(job.rank(2).lines()).anyMatch(line -> line.matches("RECOVERED [1-9]\\d* in iteration 2"));
            assertThat(job.rank(0).lines()).contains("WORLD 4 in iteration 2");
        }
    }
}

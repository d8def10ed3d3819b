package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job whose store supports only PyTorch's verbs, so that its ranks emulate sets, barriers and watches. */
@Timeout(60)
class PlainStoreJobTest {

    @Test
    void aRankThatFailsIsFollowedByARestartOfAll() throws Exception {
        int worldSize = 4;
        Set<String> runs = Collections.newSetFromMap(new ConcurrentHashMap<>());
        CountDownLatch running = new CountDownLatch(worldSize);
        try (TcpStoreServer server = TcpStoreServer.builder().pytorch(true).start();
                LocalJob job = new LocalJob(worldSize)) {
            List<Future<@Nullable Integer>> results = job.startAll(
                    settings -> settings.store((environment, call) -> TcpStore.builder()
                            .port(server.port())
                            .name("rank-" + environment.rank())
                            .connectToPyTorch()),
                    call -> {
                        int rank = call.state().initialRank();
                        runs.add(rank + " in " + call.iteration());
                        if (call.iteration() < 2) {
                            running.countDown();
                            running.await();
                            if (rank == 2 - call.iteration()) {
                                throw new IllegalStateException("thrown on purpose");
                            }
                            new CountDownLatch(1).await();
                        }
                        return call.iteration();
                    });

            for (Future<@Nullable Integer> result : results) {
                assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo(2);
            }
        }
        assertThat(runs).hasSize(3 * worldSize).contains("0 in 1", "3 in 2");
    }

    @Test
    void aRankThatLeavesOnPurposeReturnsNullAndTheOthersGoOn() throws Exception {
        Map<Integer, CyclicBarrier> collectives = new ConcurrentHashMap<>();
        try (TcpStoreServer server = TcpStoreServer.builder().pytorch(true).start();
                LocalJob job = new LocalJob(3)) {
            List<Future<@Nullable Integer>> results = job.startAll(
                    settings -> settings.store((environment, call) -> TcpStore.builder()
                            .port(server.port())
                            .name("rank-" + environment.rank())
                            .connectToPyTorch()),
                    call -> {
                        int worldSize = call.state().activeWorldSize();
                        CyclicBarrier collective = collectives.computeIfAbsent(
                                call.iteration(), iteration -> new CyclicBarrier(worldSize));
                        for (long step = 0; worldSize == 3 || step < 100; step++) {
                            call.safePoint(step);
                            if (step == 10 && call.state().initialRank() == 0) {
                                call.leave("the time limit is near");
                            }
                            collective.await();
                        }
                        return worldSize;
                    });

            assertThat(results.get(0).get(30, TimeUnit.SECONDS)).isNull();
            assertThat(results.get(1).get(30, TimeUnit.SECONDS)).isEqualTo(2);
            assertThat(results.get(2).get(30, TimeUnit.SECONDS)).isEqualTo(2);
        }
    }
}

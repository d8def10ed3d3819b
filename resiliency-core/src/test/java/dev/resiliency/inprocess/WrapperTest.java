package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
}

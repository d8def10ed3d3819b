package dev.resiliency.launcher.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.health.Finding.Severity;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HealthWatchTest {
    private final BlockingQueue<List<Finding>> results = new LinkedBlockingQueue<>();

    @Test
    void checksRunAtOnceAndTheirFindingsKeepTheirOrder() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        List<HostCheck> checks = List.of(() -> meet(together, "first"), () -> meet(together, "second"), () -> {
            throw new IllegalStateException("a defect");
        });
        try (HealthWatch watch = new HealthWatch(checks)) {
            for (int round = 0; round < 3; round++) {
                watch.check(results::add);

                List<Finding> findings = results.poll(30, TimeUnit.SECONDS);
                assertThat(findings).extracting(Finding::subject).startsWith("first", "second");
                assertThat(findings).last().satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
                    assertThat(finding.text()).contains("this check has failed itself", "a defect");
                });
            }
        }
    }

    private static Finding meet(CyclicBarrier together, String name) {
        try {
            together.await(30, TimeUnit.SECONDS);
            return Finding.ok(name, "");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void closeEndsAChecksWaitWithoutAResult() throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        HealthWatch watch = new HealthWatch(List.of(() -> {
            try {
                runs.countDown();
                Thread.sleep(TimeUnit.HOURS.toMillis(1));
                return Finding.ok("never", "");
            } finally {
                ended.countDown();
            }
        }));
        watch.check(results::add);
        assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();

        watch.close();

        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(results).isEmpty();
    }
}

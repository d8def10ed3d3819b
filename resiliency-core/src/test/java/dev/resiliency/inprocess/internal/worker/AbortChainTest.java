package dev.resiliency.inprocess.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.inprocess.CallWrapper.Abortable;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AbortChainTest {
    private final AtomicInteger ends = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);

    private AbortChain start(Abortable... actions) {
        return AbortChain.start(LogPrefix.of(Environment.single()), "abort", List.of(actions), Clock.SYSTEM, () -> {
            ends.incrementAndGet();
            ended.countDown();
        });
    }

    @Test
    void chainWithoutActionsIsDone() {
        assertThat(start().isDone()).isTrue();
    }

    @Test
    void actionsStartInOrderEachOnItsOwnThread() throws Exception {
        Map<String, String> threads = new ConcurrentHashMap<>();

        start(
                () -> threads.put("first", Thread.currentThread().getName()),
                () -> threads.put("second", Thread.currentThread().getName()));

        ended.await();
        assertThat(threads).isEqualTo(Map.of("first", "abort-0", "second", "abort-1"));
    }

    @Test
    void actionThatIsStuckDoesNotHoldUpTheOthers() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch otherRan = new CountDownLatch(1);

        AbortChain chain = start(release::await, otherRan::countDown);

        otherRan.await();
        assertThat(chain.isDone()).isFalse();
        release.countDown();
        ended.await();
        assertThat(chain.isDone()).isTrue();
    }

    @Test
    void actionThatFailsIsLoggedAndTheOthersRun() throws Exception {
        try (CapturedLog log = new CapturedLog(AbortChain.class)) {
            CountDownLatch otherRan = new CountDownLatch(1);

            AbortChain chain = start(
                    () -> {
                        throw new NoClassDefFoundError("libnccl");
                    },
                    otherRan::countDown);

            otherRan.await();
            ended.await();
            assertThat(chain.isDone()).isTrue();
            assertThat(log.messages()).singleElement().asString().startsWith("[rank 0/1] abort action ");
        }
    }

    @Test
    void lastActionReportsTheEndOnce() throws Exception {
        AbortChain chain = start(() -> {}, () -> {}, () -> {});

        ended.await();

        assertThat(chain.isDone()).isTrue();
        assertThat(ends).hasValue(1);
    }

    @Test
    void actionThatIsStuckIsReportedWithThePlaceWhereItStands() throws Exception {
        try (CapturedLog log = new CapturedLog(AbortChain.class)) {
            CountDownLatch release = new CountDownLatch(1);
            CountDownLatch stuck = new CountDownLatch(1);
            AbortChain chain = start(() -> {}, () -> {
                stuck.countDown();
                release.await();
            });
            stuck.await();
            await().until(() -> threadsNamed("abort-0") == 0);

            chain.reportStuck();

            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains("thread abort-1 has not ended after 10 s")
                    .contains("AbortChainTest");
            release.countDown();
            ended.await();
        }
    }

    private static long threadsNamed(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }
}

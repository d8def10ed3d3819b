package dev.resiliency.inprocess.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.resiliency.inprocess.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallSlotTest {
    private static final AtomicInteger TESTS = new AtomicInteger();

    /** Calls are counted per environment for the life of the process. */
    private final int localRank = TESTS.incrementAndGet();

    private Environment rank(int rank) {
        return new Environment(rank, 4, localRank, "of CallSlotTest", 1);
    }

    @Test
    void secondCallOfARankIsRejectedAndNotCounted() {
        try (CallSlot first = CallSlot.take(rank(0), new Object(), null)) {
            assertThat(first.number()).isZero();
            assertThatIllegalStateException()
                    .isThrownBy(() -> CallSlot.take(rank(0), new Object(), null))
                    .withMessage("rank 0 of 4 is already in a call of a wrapper, made by the thread \""
                            + Thread.currentThread().getName() + "\": a rank makes one at a time");
        }
        try (CallSlot second = CallSlot.take(rank(0), new Object(), null)) {
            assertThat(second.number()).isEqualTo(1);
        }
    }

    @Test
    void callWhoseNumberIsGivenIsNotCounted() {
        for (int attempt = 0; attempt < 2; attempt++) {
            try (CallSlot named = CallSlot.take(rank(3), this, 0)) {
                assertThat(named.number()).isZero();
            }
        }
        try (CallSlot counted = CallSlot.take(rank(3), this, null)) {
            assertThat(counted.number()).isZero();
        }
    }

    @Test
    void ranksDoNotDisturbEachOther() {
        try (CallSlot one = CallSlot.take(rank(1), this, null);
                CallSlot two = CallSlot.take(rank(2), this, null)) {
            assertThat(one.number()).isZero();
            assertThat(two.number()).isZero();
        }
    }

    @Test
    void wrappersOfSeparateJobsOfOneRankDoNotDisturbEachOther() {
        Environment alone = new Environment(0, 1, localRank, "of CallSlotTest", 0);
        Object wrapper = new Object();
        try (CallSlot one = CallSlot.take(alone, wrapper, null);
                CallSlot two = CallSlot.take(alone, new Object(), null)) {
            assertThat(one.number()).isZero();
            assertThat(two.number()).as("the store may be the same").isEqualTo(1);
            assertThatIllegalStateException().isThrownBy(() -> CallSlot.take(alone, wrapper, null));
        }
        try (CallSlot again = CallSlot.take(alone, wrapper, null)) {
            assertThat(again.number()).isEqualTo(2);
        }
    }

    @Test
    void oneOfTwoConcurrentCallsIsRejected() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        CyclicBarrier together = new CyclicBarrier(2);
        try {
            for (int round = 0; round < 200; round++) {
                int number = round;
                Callable<Boolean> call = () -> {
                    together.await(20, TimeUnit.SECONDS);
                    try (CallSlot slot = CallSlot.take(rank(3), new Object(), null)) {
                        assertThat(slot.number()).isEqualTo(number);
                        together.await(20, TimeUnit.SECONDS);
                        return true;
                    } catch (IllegalStateException refused) {
                        together.await(20, TimeUnit.SECONDS);
                        return false;
                    }
                };
                List<Boolean> taken = new ArrayList<>();
                for (Future<Boolean> result : threads.invokeAll(List.of(call, call))) {
                    taken.add(result.get(20, TimeUnit.SECONDS));
                }
                assertThat(taken).containsExactlyInAnyOrder(true, false);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}

package dev.resiliency.launcher.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that race at a queue: a thread that nobody wakes lets these tests time out. */
class BoundedQueueTest {
    private static final int ROUNDS = Integer.getInteger("resiliency.races", 100);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final int SIZE = 3;
    /** Of the bounds, that of bytes is the lower one. */
    private static final int MOST = 4;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private static BoundedQueue<Integer> queue() {
        return new BoundedQueue<>(MOST + 1, MOST * SIZE, element -> SIZE);
    }

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void eachWriterIsReadInItsOrderAndTheQueueKeepsItsBounds() throws Exception {
        BoundedQueue<Integer> queue = queue();
        Future<?> even = threads.submit(() -> writePairs(queue, 0));
        Future<?> odd = threads.submit(() -> writePairs(queue, 1));
        List<Integer> taken = new ArrayList<>();
        while (taken.size() < 4 * ROUNDS) {
            List<Integer> next = queue.take(NEVER);
            assertThat(queue.size()).isBetween(next.size(), MOST);
            taken.addAll(next);
            queue.release(next);
        }
        even.get();
        odd.get();
        assertThat(taken)
                .filteredOn(element -> element % 2 == 0)
                .hasSize(2 * ROUNDS)
                .isSorted();
        assertThat(taken)
                .filteredOn(element -> element % 2 == 1)
                .hasSize(2 * ROUNDS)
                .isSorted();
        assertThat(queue.size()).isZero();
    }

    /** Writes numbers that are even, or odd, two together. */
    private static int writePairs(BoundedQueue<Integer> queue, int first) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            int element = 4 * round + first;
            assertThat(queue.offer(List.of(element, element + 2), NEVER)).isTrue();
        }
        return ROUNDS;
    }

    @Test
    void allThatWasAcceptedBeforeTheEndIsTakenAndNobodyWaitsAfterIt() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            BoundedQueue<Integer> queue = queue();
            CyclicBarrier start = new CyclicBarrier(3);
            Future<List<Integer>> accepted = threads.submit(() -> {
                start.await();
                return writeUntilTheEnd(queue);
            });
            Future<List<Integer>> taken = threads.submit(() -> {
                start.await();
                return takeUntilTheEnd(queue);
            });
            start.await();
            queue.close();

            assertThat(taken.get()).isEqualTo(accepted.get());
            assertThat(queue.size()).isZero();
        }
    }

    private static List<Integer> writeUntilTheEnd(BoundedQueue<Integer> queue) throws InterruptedException {
        List<Integer> accepted = new ArrayList<>();
        while (queue.offer(List.of(accepted.size()), NEVER)) {
            accepted.add(accepted.size());
        }
        return accepted;
    }

    private static List<Integer> takeUntilTheEnd(BoundedQueue<Integer> queue) throws InterruptedException {
        List<Integer> taken = new ArrayList<>();
        while (!queue.isDrained()) {
            List<Integer> next = queue.take(NEVER);
            taken.addAll(next);
            queue.release(next);
        }
        return taken;
    }
}

package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.resiliency.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls a wrapper again after a failed call, while rank 0 hosts the store at the same address each time. */
@Timeout(60)
class CallAgainTest {
    private static final AtomicInteger TESTS = new AtomicInteger();

    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final int port = freePort();
    /** Calls are counted per environment, and a port that was free may be one of an earlier test. */
    private final int localRank = TESTS.incrementAndGet();

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void end() {
        callers.shutdownNow();
    }

    private Wrapper rank(int rank, int worldSize, Duration connectTimeout) {
        return Wrapper.builder()
                .environment(new Environment(rank, worldSize, localRank, "127.0.0.1", port))
                .store(StoreFactory.hostedByRankZero(connectTimeout))
                .monitorProcess(false)
                .build();
    }

    private <R> Future<@Nullable R> call(Wrapper wrapper, RestartableFunction<R> function) {
        return callers.submit(() -> wrapper.call(function));
    }

    private static String giveUp(CallWrapper call) {
        throw new RestartAbort("no more data in iteration " + call.iteration());
    }

    private static void assertGivenUp(Future<?> result) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> result.get(20, TimeUnit.SECONDS))
                .withCauseInstanceOf(RestartAbort.class);
    }

    @Test
    void rankThatIsAloneCanCallAgainAtOnce() throws Exception {
        Wrapper wrapper = rank(0, 1, Duration.ofSeconds(20));
        for (int i = 0; i < 10; i++) {
            assertThatExceptionOfType(RestartAbort.class).isThrownBy(() -> wrapper.call(CallAgainTest::giveUp));
        }

        assertThat(wrapper.<String>call(call -> "done")).isEqualTo("done");
    }

    @Test
    void twoWrappersOfRanksThatAreAloneMayBeInACallAtOnce() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        List<Future<@Nullable Integer>> results = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Wrapper alone = Wrapper.builder()
                    .environment(Environment.single())
                    .monitorProcess(false)
                    .build();
            results.add(call(alone, call -> {
                call.store().add("entered", 1);
                together.await();
                return (int) call.store().add("entered", 0);
            }));
        }

        for (Future<@Nullable Integer> result : results) {
            assertThat(result.get(20, TimeUnit.SECONDS))
                    .as("each has a store of its own")
                    .isEqualTo(1);
        }
    }

    @Test
    void ranksThatHaveAllFailedCanCallAgainAtOnce() throws Exception {
        Wrapper zero = rank(0, 2, Duration.ofSeconds(20));
        Wrapper one = rank(1, 2, Duration.ofSeconds(20));
        for (int i = 0; i < 5; i++) {
            Future<?> zeroFails = call(zero, CallAgainTest::giveUp);
            Future<?> oneFails = call(one, CallAgainTest::giveUp);
            assertGivenUp(zeroFails);
            assertGivenUp(oneFails);
        }

        Future<@Nullable Integer> first = call(zero, call -> call.state().worldSize());
        Future<@Nullable Integer> second = call(one, call -> call.state().worldSize());

        assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void nextCallOfRankZeroBeginsWhenTheOthersHaveEndedTheOneThatItLeft() throws Exception {
        Wrapper zero = rank(0, 2, Duration.ofSeconds(20));
        Wrapper one = rank(1, 2, Duration.ofSeconds(20));
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch alone = new CountDownLatch(1);
        Future<@Nullable Integer> goesOn = call(one, call -> {
            if (call.iteration() > 0) {
                alone.countDown();
            }
            over.await();
            return call.state().worldSize();
        });
        assertGivenUp(call(zero, CallAgainTest::giveUp));
        alone.await();

        Future<@Nullable Integer> next = call(zero, call -> call.state().worldSize());
        over.countDown();

        assertThat(goesOn.get(20, TimeUnit.SECONDS)).isEqualTo(1);
        Future<@Nullable Integer> nextOfOne = call(one, call -> call.state().worldSize());
        assertThat(next.get(20, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(nextOfOne.get(20, TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void nextCallOfRankZeroSaysIfTheOthersDoNotEndTheOneThatItLeft() throws Exception {
        Wrapper zero = rank(0, 2, Duration.ofMillis(300));
        Wrapper one = rank(1, 2, Duration.ofSeconds(20));
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch alone = new CountDownLatch(1);
        Future<@Nullable Integer> goesOn = call(one, call -> {
            if (call.iteration() > 0) {
                alone.countDown();
            }
            over.await();
            return call.state().worldSize();
        });
        assertGivenUp(call(zero, CallAgainTest::giveUp));
        alone.await();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> zero.call(call -> "never"))
                .withMessageStartingWith(
                        "store server: 127.0.0.1:" + port
                                + " still serves an earlier call of this rank, as other ranks have not ended it within 0.3 s; call again when they have");

        over.countDown();
        assertThat(goesOn.get(20, TimeUnit.SECONDS)).isEqualTo(1);
    }
}

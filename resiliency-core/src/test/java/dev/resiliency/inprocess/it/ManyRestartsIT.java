package dev.resiliency.inprocess.it;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.store.tcp.TcpStore;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A thousand restarts of a job whose ranks run in this JVM with a real store server: nothing grows. */
class ManyRestartsIT {
    private static final int RANKS = 4;
    private static final int RESTARTS = 1000;
    private static final int WARM = 100;

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.resiliency");
    private final CountDownLatch never = new CountDownLatch(1);
    private int port;

    @BeforeEach
    void prepare() throws IOException {
        port = freePort();
        log.setLevel(Level.ERROR); // a thousand stack traces add nothing to one
    }

    @AfterEach
    void logAgain() {
        log.setLevel(null);
    }

    private final ConcurrentLinkedQueue<Usage> usages = new ConcurrentLinkedQueue<>();

    /** The resources of the process; the heap after a collection. */
    private record Usage(int threads, int descriptors, long keys, long heap) {}

    @Tag("full")
    @Test
    void nothingGrows() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(RANKS);
        List<Future<@Nullable Integer>> results = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            Callable<@Nullable Integer> call = Wrapper.builder()
                    .environment(new Environment(rank, RANKS, rank, "127.0.0.1", port))
                    .monitorProcess(false)
                    .lastCallWait(Duration.ZERO)
                    .build()
                    .wrap(this::failByTurns);
            results.add(callers.submit(call));
        }
        for (Future<@Nullable Integer> result : results) {
            assertThat(result.get(2, TimeUnit.MINUTES)).isEqualTo(RESTARTS);
        }
        callers.shutdown();

        Usage warm = Objects.requireNonNull(usages.poll());
        Usage end = Objects.requireNonNull(usages.poll());
        assertThat(end.threads()).isLessThanOrEqualTo(warm.threads() + 1);
        assertThat(end.descriptors()).isLessThanOrEqualTo(warm.descriptors() + 1);
        // A rank that is interrupted early may not have written its address.
        assertThat(end.keys()).isLessThanOrEqualTo(warm.keys() + RANKS);
        assertThat(end.heap()).isLessThan(warm.heap() + (2 << 20));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private int failByTurns(CallWrapper call) throws Exception {
        int iteration = call.iteration();
        call.step(iteration); // comes further, so that it is not slowed down however often it fails
        call.onAbort(() -> {});
        call.store().set("address/" + call.state().activeRank(), "here");
        call.store().watch("address/0", change -> {});
        if (iteration == RESTARTS) {
            measure(call);
            return iteration;
        }
        if (call.state().activeRank() == iteration % RANKS) {
            if (iteration == WARM) {
                measure(call);
            }
            throw new IllegalStateException("fault of iteration " + iteration);
        }
        never.await();
        return iteration;
    }

    private void measure(CallWrapper call) throws InterruptedException {
        if (call.state().activeRank() != 0) {
            return;
        }
        call.store().multiGet(List.of("address/0", "address/1", "address/2", "address/3"));
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long heap = runtime.totalMemory() - runtime.freeMemory();
        int threads = Thread.activeCount();
        int descriptors = Objects.requireNonNull(new File("/proc/self/fd").list()).length;
        try (TcpStore whole = TcpStore.builder().port(port).scope("call-0").connect()) {
            usages.add(new Usage(threads, descriptors, whole.keyCount(), heap));
        }
    }
}

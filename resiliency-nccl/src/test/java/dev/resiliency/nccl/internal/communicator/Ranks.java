package dev.resiliency.nccl.internal.communicator;

import static org.awaitility.Awaitility.await;

import dev.resiliency.store.Store;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.testing.FakeCallWrapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Several ranks in this process, each with a thread and a device of its own. */
final class Ranks implements AutoCloseable {
    private static final int LIMIT_SECONDS = 30;

    private final InMemoryStore server = InMemoryStore.create();
    private final List<FakeCallWrapper> calls = new ArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    Ranks(int worldSize) {
        for (int rank = 0; rank < worldSize; rank++) {
            calls.add(new FakeCallWrapper(rank, worldSize, server));
        }
    }

    FakeCallWrapper call(int rank) {
        return calls.get(rank);
    }

    /** The function of a rank. */
    interface Body<T> {
        T run(FakeCallWrapper call, int rank) throws Exception;
    }

    /** Starts one rank. */
    <T> CompletableFuture<T> start(int rank, Body<T> body) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(body.run(call(rank), rank));
                    } catch (Throwable thrown) {
                        result.completeExceptionally(thrown);
                    }
                },
                "rank " + rank);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return result;
    }

    /** Waits until this many threads wait for a stream in native code. */
    void awaitBlocked(int count) {
        await().atMost(Duration.ofSeconds(LIMIT_SECONDS))
                .until(() -> threads.stream()
                                .filter(thread -> Arrays.stream(thread.getStackTrace())
                                        .anyMatch(frame -> frame.getMethodName().equals("cudaStreamSynchronize")))
                                .count()
                        == count);
    }

    /** Runs all ranks; returns their results, in their order. */
    <T> List<T> run(Body<T> body) throws Exception {
        IntFunction<CompletableFuture<T>> start = rank -> start(rank, body);
        List<CompletableFuture<T>> results = new ArrayList<>();
        for (int rank = 0; rank < calls.size(); rank++) {
            results.add(start.apply(rank));
        }
        List<T> values = new ArrayList<>();
        for (CompletableFuture<T> result : results) {
            values.add(get(result));
        }
        return values;
    }

    static <T> T get(CompletableFuture<T> result) throws Exception {
        try {
            return result.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        } catch (TimeoutException e) {
            throw new AssertionError("a rank did not end within " + LIMIT_SECONDS + " s", e);
        }
    }

    Store store() {
        return server;
    }

    @Override
    public void close() {
        server.close();
    }
}

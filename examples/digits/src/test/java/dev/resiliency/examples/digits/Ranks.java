package dev.resiliency.examples.digits;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Runs one thread for each rank of a small job within this JVM. */
final class Ranks {
    private static final long LIMIT_SECONDS = 30;

    private Ranks() {}

    @FunctionalInterface
    interface RankFunction<R> {
        @Nullable
        R run(int rank) throws Exception;
    }

    /** Returns what each rank returns or throws, in order. */
    static <R> List<CompletableFuture<R>> start(int worldSize, RankFunction<R> function) {
        List<CompletableFuture<R>> results = new ArrayList<>();
        for (int i = 0; i < worldSize; i++) {
            int rank = i;
            CompletableFuture<R> result = new CompletableFuture<>();
            Thread thread = new Thread(
                    () -> {
                        try {
                            result.complete(function.run(rank));
                        } catch (Throwable e) {
                            result.completeExceptionally(e);
                        }
                    },
                    "rank-" + rank);
            thread.setDaemon(true);
            thread.start();
            results.add(result);
        }
        return results;
    }

    /** Returns what the ranks return, or throws the first exception. */
    static <R> List<R> run(int worldSize, RankFunction<R> function) throws Exception {
        List<R> results = new ArrayList<>();
        for (CompletableFuture<R> result : start(worldSize, function)) {
            results.add(result.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        }
        return results;
    }

    /** Returns the exception that ended this rank. */
    static Throwable failureOf(CompletableFuture<?> result) throws InterruptedException, TimeoutException {
        try {
            Object value = result.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            throw new AssertionError("returned " + value + " instead of failing");
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }
}

package dev.resiliency.examples.digits;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
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
    static <R> List<FutureTask<R>> start(int worldSize, RankFunction<R> function) {
        List<FutureTask<R>> results = new ArrayList<>();
        for (int i = 0; i < worldSize; i++) {
            int rank = i;
            FutureTask<R> result = new FutureTask<>(() -> function.run(rank));
            Thread thread = new Thread(result, "rank-" + rank);
            thread.setDaemon(true);
            thread.start();
            results.add(result);
        }
        return results;
    }

    /** Returns what the ranks return, or throws the first exception. */
    static <R> List<R> run(int worldSize, RankFunction<R> function) throws Exception {
        List<R> results = new ArrayList<>();
        for (FutureTask<R> result : start(worldSize, function)) {
            results.add(result.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        }
        return results;
    }

    /** Returns the exception that ended this rank. */
    static Throwable failureOf(FutureTask<?> result) throws InterruptedException, TimeoutException {
        try {
            throw new AssertionError("returned instead of failing: " + result.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return requireNonNull(e.getCause());
        }
    }
}

package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A request to the store that is repeated whenever a rank has died or left. Confined to the monitor thread. */
final class RepeatedRequest<T> {
    private final LoopContext<?> context;
    /** Null if only losses repeat it. */
    private final @Nullable Duration interval;

    private final Supplier<CompletableFuture<T>> request;
    /** Null unless a request is pending. */
    private @Nullable CompletableFuture<T> pending;
    /** Since the latest request; null before the first. */
    private @Nullable Stopwatch since;
    /** The number of terminated ranks at that time. */
    private int terminated;

    private RepeatedRequest(
            LoopContext<?> context, @Nullable Duration interval, Supplier<CompletableFuture<T>> request) {
        this.context = context;
        this.interval = interval;
        this.request = request;
    }

    /** Creates a request that is repeated after each loss. */
    static <T> RepeatedRequest<T> onLoss(LoopContext<?> context, Supplier<CompletableFuture<T>> request) {
        return new RepeatedRequest<>(context, null, request);
    }

    /** Creates a request that is repeated after each loss, and after this time in any case. */
    static <T> RepeatedRequest<T> onLossOrAfter(
            Duration interval, LoopContext<?> context, Supplier<CompletableFuture<T>> request) {
        return new RepeatedRequest<>(context, interval, request);
    }

    /** Sends the request if it is due. Returns an answer that has come since the last call; null if there is none. */
    @Nullable
    T step() {
        CompletableFuture<T> asked = pending;
        if (asked != null && !asked.isDone()) {
            return null;
        }
        T answer = asked == null ? null : Futures.resultOf(asked);
        int gone = context.terminated().all().size();
        if (isDue(gone)) {
            since = context.startStopwatch();
            terminated = gone;
            pending = context.waker().wakeWhenDone(request.get());
        } else {
            pending = null;
        }
        return answer;
    }

    private boolean isDue(int gone) {
        Stopwatch latest = since;
        return latest == null || gone != terminated || (interval != null && latest.hasReached(interval));
    }
}

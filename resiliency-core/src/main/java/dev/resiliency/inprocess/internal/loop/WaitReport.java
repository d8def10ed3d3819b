package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs for whom a rank waits: after 5 s, and then less and less often. At first a single rank queries the store, the
 * others only if the wait gets long, so that queries do not slow down a large job. Confined to the monitor thread.
 */
final class WaitReport {
    private static final Duration FIRST = Duration.ofSeconds(5);
    static final Duration ALL_ASK = Duration.ofSeconds(20);

    private final LoopContext<?> context;
    private final Stopwatch since;
    private final String what;
    private final Supplier<CompletableFuture<String>> missing;
    private final IndexSet members;
    private Duration next = FIRST;
    /** Null unless a query is pending. */
    private @Nullable CompletableFuture<String> asked;

    /**
     * Creates the report of a wait.
     *
     * @param members those who wait for each other
     * @param what the others have yet to do
     * @param missing queries the store for what is awaited
     */
    WaitReport(
            LoopContext<?> context,
            IndexSet members,
            Stopwatch since,
            String what,
            Supplier<CompletableFuture<String>> missing) {
        this.context = context;
        this.members = members;
        this.since = since;
        this.what = what;
        this.missing = missing;
    }

    /** Creates the report of a wait for ranks alone; {@code missing} queries the store for them. */
    static WaitReport ofRanks(
            LoopContext<?> context,
            IndexSet members,
            Stopwatch since,
            String what,
            Supplier<CompletableFuture<IndexSet>> missing) {
        return new WaitReport(context, members, since, what, () -> missing.get().thenApply(WaitReport::named));
    }

    /** Returns the text that names these ranks. */
    static String named(IndexSet ranks) {
        return "ranks " + ranks;
    }

    /** Queries or logs if due. */
    void step() {
        if (asked == null && since.hasReached(next)) {
            if (since.hasReached(ALL_ASK)
                    || context.terminated().isLowestAlive(context.identity().rank(), members)) {
                asked = context.waker().wakeWhenDone(missing.get());
            } else {
                context.announcements().waits(since.elapsed(), what, "the log of the lowest rank names them");
            }
            next = next.multipliedBy(2);
        }
        if (asked != null && asked.isDone()) {
            Throwable failure = Futures.failureOf(asked);
            context.announcements().waits(since.elapsed(), what, failure == null ? asked.join() : failure.toString());
            asked = null;
        }
    }
}

package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs for whom a rank waits: after 5 s, and then ever more rarely. One rank asks the store at first, the others only if the
 * wait gets long, so that a large job is not held up by questions. Confined to the monitor thread.
 */
final class WaitReport {
    private static final Duration FIRST = Duration.ofSeconds(5);
    private static final Duration ALL_ASK = Duration.ofSeconds(20);

    private final LoopContext<?> context;
    private final Stopwatch since;
    private final String what;
    private final Supplier<CompletableFuture<IndexSet>> missing;
    private Duration next = FIRST;
    /** Null unless a question is open. */
    private @Nullable CompletableFuture<IndexSet> asked;

    /**
     * The report of a wait that has begun.
     *
     * @param what the others are to do
     * @param missing asks the store who has not done so
     */
    WaitReport(LoopContext<?> context, Stopwatch since, String what, Supplier<CompletableFuture<IndexSet>> missing) {
        this.context = context;
        this.since = since;
        this.what = what;
        this.missing = missing;
    }

    /** Asks or logs, if that is due. */
    void step() {
        if (asked == null && since.hasReached(next)) {
            if (since.hasReached(ALL_ASK) || context.terminated().isLowestAlive(context.environment())) {
                asked = context.waker().wakeWhenDone(missing.get());
            } else {
                context.announcements().waits(since.elapsed(), what, "the lowest rank names them");
            }
            next = next.multipliedBy(2);
        }
        if (asked != null && asked.isDone()) {
            Throwable failure = Futures.failureOf(asked);
            context.announcements()
                    .waits(
                            since.elapsed(),
                            what,
                            failure == null ? "initial ranks " + asked.join() : failure.toString());
            asked = null;
        }
    }
}

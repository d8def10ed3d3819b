package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.protocol.Heartbeats.Heartbeat;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the heartbeats of one rank, and reports its sibling when its heartbeats stop: the substitute for leases where
 * the store keeps no sessions. Never waits for the store: the next step reads the answer. Not safe for use by several
 * threads.
 */
final class SiblingHeartbeats {
    private final RestartStore job;
    private final int rank;
    private final Duration timeout;
    private final SiblingWatch watch;
    private final Consumer<String> log;
    private IndexSet living;
    private @Nullable CompletableFuture<Heartbeat> asked;

    SiblingHeartbeats(RestartStore job, Identity identity, Duration timeout, Consumer<String> log) {
        this.job = job;
        this.rank = identity.rank();
        this.timeout = timeout;
        this.living = IndexSet.range(0, identity.worldSize());
        this.watch = new SiblingWatch(rank, timeout);
        this.log = log;
    }

    /** Discounts the nanoseconds for which this process did not run and could see no heartbeat. */
    void discount(long paused) {
        watch.discount(paused);
    }

    /**
     * Sends one heartbeat.
     *
     * @param iteration the current iteration of this rank
     */
    void step(long now, int iteration) {
        CompletableFuture<Heartbeat> last = asked;
        if (last != null && !last.isDone()) {
            return; // the store is slow: no second request before the answer
        }
        if (last != null && !last.isCompletedExceptionally()) {
            judge(last.join(), now, iteration);
        }
        OptionalInt sibling = watch.siblingAmong(living);
        asked = sibling.isPresent() ? job.heartbeats().beat(sibling.getAsInt()) : null;
    }

    private void judge(Heartbeat heartbeat, long now, int iteration) {
        living = heartbeat.living();
        if (watch.observe(heartbeat.sibling(), heartbeat.count(), now) && living.contains(heartbeat.sibling())) {
            String message = "rank %d has seen no heartbeat of it for %.1f s".formatted(rank, timeout.toMillis() / 1e3);
            log.accept("reports rank " + heartbeat.sibling() + " lost: " + message);
            job.terminations()
                    .reportLost(
                            iteration,
                            new Interruption(
                                    heartbeat.sibling(), Interruption.Kind.TERMINATED, Instant.now(), message));
        }
    }
}

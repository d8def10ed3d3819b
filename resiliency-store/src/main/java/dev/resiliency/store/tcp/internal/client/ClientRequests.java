package dev.resiliency.store.tcp.internal.client;

import dev.resiliency.store.Store;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.internal.Answer;
import dev.resiliency.store.internal.KeyspaceSession;
import dev.resiliency.store.internal.Nanos;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The pending requests of a session, and the alarms of those that have a limit. The client's event loop owns it. */
final class ClientRequests {
    /** The time by which the client's own timeout is later than the server's. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Endpoint endpoint;
    private final EventLoop loop;
    private final Map<Long, Pending> pending = new HashMap<>();
    private int limited; // of those that are pending
    private long lastRequest = KeyspaceSession.ONE_WAY;

    ClientRequests(Endpoint endpoint, EventLoop loop) {
        this.endpoint = endpoint;
        this.loop = loop;
    }

    /**
     * A pending request.
     *
     * @param position its position in the sequence of frames of the session
     * @param endings the watches that it ends
     * @param alarm fires if there is no answer; null for a request that may wait {@linkplain Store#FOREVER forever}
     */
    record Pending(
            Answer answer,
            long position,
            List<ClientWatches.Ending> endings,
            @Nullable Future<?> alarm) {}

    long nextId() {
        return ++lastRequest;
    }

    void add(long request, Answer answer, long position, List<ClientWatches.Ending> endings, Duration timeout) {
        Future<?> alarm = null;
        if (timeout.compareTo(Store.FOREVER) < 0) {
            long patience = PATIENCE.toNanos();
            long delay = Math.min(Nanos.of(timeout), Long.MAX_VALUE - patience) + patience;
            alarm = loop.schedule(() -> giveUp(request, timeout), delay, TimeUnit.NANOSECONDS);
            limited++;
        }
        pending.put(request, new Pending(answer, position, endings, alarm));
    }

    /**
     * Returns whether the server owes an answer by some time. It owes none to a request that may wait forever, as it
     * owes none to a watch.
     */
    boolean areDue() {
        return limited > 0;
    }

    private void giveUp(long request, Duration timeout) {
        settle(
                request,
                late -> late.answer()
                        .completeExceptionally(new StoreTimeoutException(
                                "the store at %s did not answer within %s s"
                                        .formatted(
                                                endpoint.address(),
                                                timeout.plus(PATIENCE).toMillis() / 1000.0),
                                timeout)));
    }

    /** Ends a request; returns its position, or 0 if it is no longer pending. */
    long settle(long request, Consumer<Pending> end) {
        assert loop.inEventLoop();
        Pending settled = pending.remove(request);
        if (settled == null) {
            return 0;
        }
        if (settled.alarm() != null) {
            settled.alarm().cancel(false);
            limited--;
        }
        end.accept(settled);
        return settled.position();
    }

    /** Fails all pending requests. */
    void fail(Supplier<? extends StoreException> reason) {
        for (long request : List.copyOf(pending.keySet())) {
            settle(request, failed -> failed.answer().completeExceptionally(reason.get()));
        }
    }
}

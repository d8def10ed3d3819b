package dev.resiliency.store.internal;

import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One client of a {@link Keyspace}: its requests that wait, its watches, its last will and its lease.
 *
 * <p>It ends with a goodbye, or without: when its connection closes or its lease runs out. Then the last will is
 * carried out, once.
 */
public final class KeyspaceSession {
    /** The id of requests that nobody wants an answer to. Such a request ends where it would have to wait. */
    public static final long ONE_WAY = 0;

    private final Keyspace keyspace;
    private final long id;
    private final SessionOutput output;
    private final WaitingRequests waiting;
    private final Set<Watch> watches = new HashSet<>();
    private List<Operation<?>> lastWill = List.of();
    private long lastWillBytes;
    private @Nullable Lease lease;
    private boolean hasEnded;
    private @Nullable String expiry;

    KeyspaceSession(Keyspace keyspace, long id, SessionOutput output) {
        this.keyspace = keyspace;
        this.id = id;
        this.output = output;
        this.waiting = new WaitingRequests(keyspace.timer());
    }

    /** The number by which others name this session; never 0. */
    public long id() {
        return id;
    }

    /**
     * Runs operations: see {@link dev.resiliency.store.Store#submit}.
     *
     * @param request names the request in the answer, or {@link #ONE_WAY}
     * @throws IllegalArgumentException if a request of this id still waits
     */
    public void submit(long request, List<? extends Operation<?>> operations, Duration timeout) {
        submit(request, operations, () -> Sizes.of(operations), timeout);
    }

    /**
     * The same, of operations whose contents take so many bytes: what they count while they wait need not be found out.
     */
    public void submit(long request, List<? extends Operation<?>> operations, int contents, Duration timeout) {
        submit(request, operations, () -> Sizes.of(operations.size(), contents), timeout);
    }

    private void submit(long request, List<? extends Operation<?>> operations, LongSupplier bytes, Duration timeout) {
        if (waiting.find(request) != null) {
            throw new IllegalArgumentException("request " + request + " was sent twice");
        }
        if (!hasEnded) {
            new Request(keyspace, this, request, List.copyOf(operations), bytes, timeout).advance();
            keyspace.advanceWoken();
        } else if (expiry != null && request != ONE_WAY) {
            output.fail(request, new SessionExpiredException(expiry));
        }
    }

    /** Withdraws a request if it still waits; there is no answer then. */
    public void cancel(long request) {
        Request waits = waiting.find(request);
        if (waits != null) {
            waits.withdraw();
        }
    }

    /** Ends the session as its owner wishes: the last will is void. */
    public void close() {
        lastWill(List.of());
        end();
    }

    /** Ends the session because its owner is gone, and carries out the last will. */
    public void abandon() {
        end();
    }

    SessionOutput output() {
        return output;
    }

    WaitingRequests waiting() {
        return waiting;
    }

    /** What it watches; {@link Watches} keeps it. */
    Set<Watch> watches() {
        return watches;
    }

    /** Takes note of a request that begins to wait, unless there are too many. */
    void startWaiting(long request, Request waits) {
        Limits limits = keyspace.limits();
        if (waiting.count() >= limits.of(Store.Limit.WAITERS)) {
            throw new StoreRequestException("a pending request beyond %d is over %s"
                    .formatted(waiting.count(), limits.describe(Store.Limit.WAITERS)));
        }
        waiting.add(request, waits);
    }

    void lastWill(List<Operation<?>> operations) {
        long bytes = Sizes.of(operations);
        keyspace.usage().take(bytes - lastWillBytes, "a last will");
        lastWill = operations;
        lastWillBytes = bytes;
    }

    void lease(Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new StoreRequestException(
                    "a lease must be positive, not %s s".formatted(duration.toMillis() / 1000.0));
        }
        cancelLease();
        lease = new Lease(keyspace.timer(), duration, () -> expire(duration));
    }

    /** Whether it ends when nobody renews it. */
    public boolean hasLease() {
        return lease != null;
    }

    void renew() {
        if (lease != null) {
            lease.renew();
        }
    }

    private void expire(Duration leased) {
        expiry = "the session ended because its lease was not renewed for %s s; its owner counts as dead and must leave"
                .formatted(leased.toMillis() / 1000.0);
        end();
        output.expired(new SessionExpiredException(expiry));
    }

    private void end() {
        if (hasEnded) {
            return;
        }
        hasEnded = true;
        cancelLease();
        waiting.end();
        keyspace.forget(this);
        List<Operation<?>> will = lastWill;
        lastWill(List.of());
        keyspace.operations().runDetached(will);
        keyspace.advanceWoken();
    }

    private void cancelLease() {
        if (lease != null) {
            lease.cancel();
        }
    }
}

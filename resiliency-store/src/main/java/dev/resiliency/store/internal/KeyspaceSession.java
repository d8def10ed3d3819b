package dev.resiliency.store.internal;

import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreLimit;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One client of a {@link Keyspace}: its pending requests, its watches, its last will and its lease.
 *
 * <p>It ends with a goodbye, or without one when its connection closes or its lease expires. In that case the last will
 * is carried out, once.
 */
public final class KeyspaceSession {
    /** The id of requests that get no answer. Such a request ends where it would have to wait. */
    public static final long ONE_WAY = 0;

    private final Keyspace keyspace;
    private final long id;
    private final Value token;
    private final SessionOutput output;
    private final WaitingRequests waiting;
    private final Set<Watch> watches = new HashSet<>();
    private List<Operation<?>> lastWill = List.of();
    private long lastWillBytes;
    private @Nullable Lease lease;
    private boolean hasEnded;
    private @Nullable String expiry;

    KeyspaceSession(Keyspace keyspace, long id, Value token, SessionOutput output) {
        this.keyspace = keyspace;
        this.id = id;
        this.token = token;
        this.output = output;
        this.waiting = new WaitingRequests(keyspace.timer());
    }

    /** Returns the number that identifies this session; never 0. */
    public long id() {
        return id;
    }

    /** Returns what only its owner knows, and those to whom the owner tells it. */
    public Value token() {
        return token;
    }

    /**
     * Runs operations: see {@link dev.resiliency.store.spi.SessionStore#submit}.
     *
     * @param request the id of the request in the answer, or {@link #ONE_WAY}
     * @throws IllegalArgumentException if a request with this id is still pending
     */
    public void submit(long request, List<? extends Operation<?>> operations, Duration timeout) {
        submit(request, operations, () -> Sizes.of(operations), timeout);
    }

    /**
     * Runs operations whose contents are known to take this many bytes, which saves measuring them if they have to
     * wait.
     *
     * @param entries how many operations, and entries of lists in them, there are
     */
    public void submit(
            long request, List<? extends Operation<?>> operations, int entries, int contents, Duration timeout) {
        submit(request, operations, () -> Sizes.of(entries, contents), timeout);
    }

    private void submit(long request, List<? extends Operation<?>> operations, LongSupplier bytes, Duration timeout) {
        if (waiting.find(request) != null) {
            throw new IllegalArgumentException("request " + request + " was sent twice");
        }
        renew();
        if (!hasEnded) {
            new Request(keyspace, this, request, List.copyOf(operations), bytes, timeout).advance();
            keyspace.advanceWoken();
        } else if (expiry != null && request != ONE_WAY) {
            output.fail(request, new SessionExpiredException(expiry));
        }
    }

    /** Withdraws a request if it is still pending; it then gets no answer. */
    public void cancel(long request) {
        renew();
        Request waits = waiting.find(request);
        if (waits != null) {
            waits.withdraw();
        }
    }

    /** Ends the session at its owner's request, without carrying out the last will. */
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

    /** Returns its watches, which {@link Watches} maintains. */
    Set<Watch> watches() {
        return watches;
    }

    /** Registers a request that begins to wait, unless there are too many. */
    void startWaiting(long request, Request waits) {
        Limits limits = keyspace.limits();
        if (waiting.count() >= limits.of(StoreLimit.WAITERS)) {
            throw new StoreRequestException("a pending request beyond %d is over %s"
                    .formatted(waiting.count(), limits.describe(StoreLimit.WAITERS)));
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
        lease = new Lease(keyspace.timer(), duration, output::probe, () -> expire(duration));
    }

    /** Returns whether it ends unless it is renewed. */
    public boolean hasLease() {
        return lease != null;
    }

    /** Notes a sign of life of its owner, which renews the lease if there is one. */
    public void renew() {
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
        keyspace.work().begin();
        keyspace.operations().runDetached(will);
        keyspace.advanceWoken();
    }

    private void cancelLease() {
        if (lease != null) {
            lease.cancel();
        }
    }
}

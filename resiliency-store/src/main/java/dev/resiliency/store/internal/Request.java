package dev.resiliency.store.internal;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Operations in progress: those before {@code next} have run, the one at {@code next} may be waiting. */
final class Request {
    private static final BackgroundLog LOG = BackgroundLog.of(Request.class);

    private static final long LONGEST_WAIT = Long.MAX_VALUE / 2; // clocks are compared by their difference

    private final Keyspace keyspace;
    private final KeyspaceSession session;
    private final long id;
    private final List<Operation<?>> operations;
    private final LongSupplier bytes; // how many bytes the operations count while it waits
    private final Duration timeout;
    private final List<@Nullable Object> results;
    private long resultBytes;
    private int next;
    private @Nullable Wait wait;
    private boolean isWaiting; // it is, or has been, among the waiting requests
    private long deadline; // by the timer's clock, once it waits
    private long operationBytes; // determined once it waits
    private long heldBytes; // counted while it waits

    Request(
            Keyspace keyspace,
            KeyspaceSession session,
            long id,
            List<Operation<?>> operations,
            LongSupplier bytes,
            Duration timeout) {
        this.keyspace = keyspace;
        this.session = session;
        this.id = id;
        this.operations = operations;
        this.results = new ArrayList<>(operations.size());
        this.bytes = bytes;
        this.timeout = timeout;
    }

    /** Runs operations until all are done or one has to wait. */
    void advance() {
        keyspace.work().begin();
        try {
            while (next < operations.size()) {
                if (!runNext()) {
                    suspend();
                    return;
                }
            }
        } catch (StoreException failure) {
            fail(failure);
            return;
        } catch (RuntimeException defect) {
            // A defect of the store itself, from which its other clients must not suffer.
            LOG.error("A request of {} operations failed", operations.size(), defect);
            fail(new StoreException("the store failed: " + defect, defect));
            return;
        }
        finish();
        if (!isOneWay()) {
            session.output().reply(id, results);
        }
    }

    /** Runs the next operation; returns false if it has to wait. */
    private boolean runNext() {
        Operation<?> operation = operations.get(next);
        Object result;
        if (operation.waits()) {
            if (wait == null) {
                wait = keyspace.operations().begin(operation);
            }
            if (!wait.endOrEnlist(this)) {
                return false;
            }
            Wait over = wait;
            wait = null;
            result = over.result();
        } else {
            result = keyspace.operations().run(operation, session);
        }
        results.add(result);
        count(result);
        next = operation.endsBatch(result) ? operations.size() : next + 1;
        return true;
    }

    /** Fails once the answer is too large to be sent: a small request may name a large value many times. */
    private void count(@Nullable Object result) {
        resultBytes += ResultSizes.of(result);
        if (resultBytes > keyspace.maxResultBytes()) {
            throw new StoreRequestException("the results of a request exceed %d bytes, over %s: request less at once"
                    .formatted(resultBytes, keyspace.limits().describe(StoreLimit.FRAME_BYTES)));
        }
    }

    private void suspend() {
        if (isOneWay()) {
            withdraw();
            return;
        }
        if (!isWaiting) {
            isWaiting = true;
            deadline = keyspace.timer().nanoTime() + Math.min(Nanos.of(timeout), LONGEST_WAIT);
            session.startWaiting(id, this);
            operationBytes = Sizes.REQUEST + bytes.getAsLong();
        }
        long more = operationBytes + resultBytes - heldBytes;
        keyspace.usage().take(more, "a pending request");
        heldBytes += more;
    }

    /** Returns its deadline, by the timer's clock. */
    long deadline() {
        return deadline;
    }

    /** Ends the wait with a timeout. */
    void timeOut() {
        if (wait != null) {
            fail(wait.timeout(timeout));
        }
    }

    private void fail(StoreException failure) {
        withdraw();
        if (!isOneWay()) {
            session.output().fail(id, failure);
        }
    }

    /** Ends the wait without an answer. */
    void withdraw() {
        if (wait != null) {
            wait.withdraw(this);
        }
        finish();
    }

    private void finish() {
        wait = null;
        if (isWaiting) {
            session.waiting().remove(id);
            keyspace.usage().giveBack(heldBytes);
            heldBytes = 0;
        }
    }

    private boolean isOneWay() {
        return id == KeyspaceSession.ONE_WAY;
    }
}

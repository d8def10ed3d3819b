package dev.resiliency.store.internal.emulation;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.internal.MissingKeys;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Operations in progress: those before {@code next} have run, the one at {@code next} is retried until it need not
 * wait. Confined to the store's thread, except for {@code answer}.
 */
final class EmulatedRequest {
    private final EmulatedOperations plain;
    private final EmulatedBarriers barriers;
    private final EmulatedWatches watches;
    private final List<? extends Operation<?>> operations;
    private final Duration timeout;
    private final long deadline;
    private final CompletableFuture<List<@Nullable Object>> answer;
    private final List<@Nullable Object> results = new ArrayList<>();
    private int next;
    private boolean hasArrived; // at the barrier of the next operation

    /**
     * Creates a request of which nothing has run yet.
     *
     * @param deadline the end of its waiting time, by {@link System#nanoTime}
     */
    EmulatedRequest(
            EmulatedOperations plain,
            EmulatedBarriers barriers,
            EmulatedWatches watches,
            List<? extends Operation<?>> operations,
            Duration timeout,
            long deadline,
            CompletableFuture<List<@Nullable Object>> answer) {
        this.plain = plain;
        this.barriers = barriers;
        this.watches = watches;
        this.operations = operations;
        this.timeout = timeout;
        this.deadline = deadline;
        this.answer = answer;
    }

    long deadline() {
        return deadline;
    }

    CompletableFuture<List<@Nullable Object>> answer() {
        return answer;
    }

    /**
     * Runs operations until all are done or one has to wait, and answers if all are done or the deadline has passed.
     *
     * @return whether the request is still waiting
     * @throws dev.resiliency.store.StoreLostException if the plain store is unreachable
     * @throws StoreException if an operation failed, and with it the request
     */
    boolean waitsOn(long now) {
        boolean isLate = now - deadline >= 0;
        while (next < operations.size()) {
            Operation<?> operation = operations.get(next);
            if (!operation.waits() && !(operation instanceof Operation.Arrive)) {
                finish(operation, watches.concerns(operation) ? watches.run(operation) : barriers.run(operation));
            } else if (!tryOnce(operation, isLate)) {
                if (isLate) {
                    throw timedOut(operation);
                }
                return true;
            }
        }
        answer.complete(results);
        return false;
    }

    /** Returns whether the operation no longer has to wait. */
    private boolean tryOnce(Operation<?> operation, boolean isLate) {
        if (operation instanceof Operation.Get get) {
            return finishUnlessNull(get, plain.value(get.key()));
        } else if (operation instanceof Operation.GetPart get) {
            return finishUnlessNull(get, plain.part(get));
        } else if (operation instanceof Operation.MultiGet get) {
            return finishUnlessNull(get, plain.values(get.keys()));
        } else if (operation instanceof Operation.Await await) {
            return plain.exist(await.keys()) && finish(await, null);
        }
        Operation.Arrive arrive = (Operation.Arrive) operation;
        if (!hasArrived) {
            barriers.arrive(arrive.barrier(), arrive.participants());
            hasArrived = true;
        }
        return mayPass(arrive, barriers.look(arrive.barrier()), isLate) && finish(arrive, null);
    }

    /**
     * Even an arrival that does not wait for the others waits, within its limit, for the operations of a barrier that
     * it completes.
     */
    private static boolean mayPass(Operation.Arrive arrive, EmulatedBarriers.Progress progress, boolean isLate) {
        return switch (progress) {
            case INCOMPLETE -> !arrive.waits();
            case COMPLETING -> !arrive.waits() && isLate;
            case COMPLETE -> true;
        };
    }

    private boolean finishUnlessNull(Operation<?> operation, @Nullable Object result) {
        return result != null && finish(operation, result);
    }

    private boolean finish(Operation<?> operation, @Nullable Object result) {
        results.add(result);
        hasArrived = false;
        next = operation.endsBatch(result) ? operations.size() : next + 1;
        return true;
    }

    private StoreException timedOut(Operation<?> operation) {
        if (operation instanceof Operation.Arrive arrive) {
            return barriers.timeout(arrive.barrier(), timeout);
        } else if (operation instanceof Operation.Get get) {
            return MissingKeys.timeout(List.of(get.key()), timeout);
        } else if (operation instanceof Operation.GetPart get) {
            return MissingKeys.timeout(get.key(), get.part(), timeout);
        } else if (operation instanceof Operation.MultiGet get) {
            return MissingKeys.timeout(plain.missing(get.keys()), timeout);
        }
        return MissingKeys.timeout(plain.missing(((Operation.Await) operation).keys()), timeout);
    }
}

package dev.resiliency.store.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Several operations in one request, each with a typed handle to its result:
 *
 * <pre>{@code
 * Batch batch = store.batch();
 * Handle<Value> part = batch.add(new Operation.GetPart("state", rank));
 * CompletableFuture<Value> state = batch.submit(limit).thenApply(results -> results.get(part));
 * }</pre>
 *
 * <p>A batch is sent once. It is not safe for use by several threads; its handles and results are.
 *
 * @since 0.1.0
 */
public final class Batch {
    private final SessionStore store;
    private final List<Operation<?>> operations = new ArrayList<>();
    private boolean sent;

    /** Creates an empty batch for this store; {@link SessionStore#batch()} is shorthand for this. */
    public Batch(SessionStore store) {
        this.store = store;
    }

    /**
     * Adds an operation, which runs after those added before it.
     *
     * @return the handle to its result
     * @throws IllegalStateException if the batch has been sent
     */
    public <R> Handle<R> add(Operation<R> operation) {
        checkNotSent();
        operations.add(operation);
        return new Handle<>(this, operations.size() - 1, operation);
    }

    /**
     * Adds operations whose results do not matter.
     *
     * @throws IllegalStateException if the batch has been sent
     */
    public void addAll(List<? extends Operation<?>> more) {
        checkNotSent();
        operations.addAll(more);
    }

    /**
     * Runs the operations as {@link SessionStore#submit} does, and completes with their results. Cancelling the future withdraws
     * the request if it still waits.
     *
     * @param limit how long the request may wait
     * @throws IllegalStateException if the batch has been sent
     */
    @SuppressWarnings("FutureReturnValueIgnored") // both last stages only pass the outcome on
    public CompletableFuture<Results> submit(Duration limit) {
        checkNotSent();
        sent = true;
        CompletableFuture<List<@Nullable Object>> answer = store.submit(operations, limit);
        // Not thenApply, which wraps a failure and does not propagate a cancellation.
        CompletableFuture<Results> results = answer.newIncompleteFuture();
        answer.whenComplete((values, failure) -> {
            if (failure == null) {
                results.complete(new Results(this, values));
            } else {
                results.completeExceptionally(failure);
            }
        });
        results.whenComplete((ignored, failure) -> {
            if (results.isCancelled()) {
                answer.cancel(true);
            }
        });
        return results;
    }

    /**
     * Sends the operations without asking for an answer, as {@link SessionStore#send} does.
     *
     * @throws IllegalStateException if the batch has been sent
     */
    public void send() {
        checkNotSent();
        sent = true;
        store.send(operations);
    }

    private void checkNotSent() {
        if (sent) {
            throw new IllegalStateException("this batch has been sent: begin another one");
        }
    }

    /**
     * The place of one operation's result in the results of its batch.
     *
     * @param <R> the type of the result
     */
    public static final class Handle<R> {
        private final Batch batch;
        private final int index;
        private final Operation<R> operation;

        private Handle(Batch batch, int index, Operation<R> operation) {
            this.batch = batch;
            this.index = index;
            this.operation = operation;
        }
    }

    /**
     * The results of a batch. Some operations may not have run: a {@link Operation.Claim} that another writer won, or a
     * {@link Operation.Confirm} of a set that has changed, ends the batch and is the last operation with a result.
     */
    public static final class Results {
        private final Batch batch;
        private final List<@Nullable Object> values;

        private Results(Batch batch, List<@Nullable Object> values) {
            this.batch = batch;
            this.values = values;
        }

        /** Returns whether all operations of the batch have run. */
        public boolean allRan() {
            return values.size() == batch.operations.size();
        }

        /**
         * Returns whether this operation has run; false if the batch ended before it.
         *
         * @throws IllegalArgumentException if the handle belongs to another batch
         */
        public boolean ran(Handle<?> handle) {
            if (handle.batch != batch) {
                throw new IllegalArgumentException("this handle belongs to another batch");
            }
            return handle.index < values.size();
        }

        /**
         * Returns the result of an operation.
         *
         * @throws IllegalArgumentException if the handle belongs to another batch
         * @throws IllegalStateException if the operation has not {@linkplain #ran run}, or has no result
         */
        @SuppressWarnings("unchecked") // every store answers an Operation<R> with an R
        public <R> R get(Handle<R> handle) {
            if (!ran(handle)) {
                throw new IllegalStateException(handle.operation + " has not run: the batch ended with "
                        + batch.operations.get(values.size() - 1));
            }
            Object value = values.get(handle.index);
            if (value == null) {
                throw new IllegalStateException(handle.operation + " has no result");
            }
            return (R) value;
        }
    }
}

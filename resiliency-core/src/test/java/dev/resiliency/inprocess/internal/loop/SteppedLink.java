package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A session whose requests, answers and changes travel when the test says so, in their order; and whose loss each side
 * learns when the test says so. Confined to the thread of the test.
 */
final class SteppedLink extends ForwardingStore {
    private final InMemoryStore session;
    private final Clock clock;
    private final BooleanSupplier reaches;
    private final BooleanSupplier runs;
    private final Function<List<Operation<?>>, List<Operation<?>>> distortion;
    private final Queue<Runnable> requests = new ArrayDeque<>();
    private final Queue<Runnable> answers = new ArrayDeque<>();
    private final List<Pending> pending = new ArrayList<>();
    private final List<Consumer<? super StoreException>> listeners = new ArrayList<>();
    private boolean isOver;
    private boolean isLeaving;
    private boolean hasExpired;
    /** Lets everything travel at once. */
    private boolean isImmediate;

    /** A request without an answer. */
    private record Pending(
            CompletableFuture<List<@Nullable Object>> answer,
            List<Operation<?>> operations,
            Duration limit,
            long due) {}

    /** A listener whose changes travel on the link: the same for the same listener. */
    private record Travelling(SteppedLink link, Consumer<? super Change> listener) implements Consumer<Change> {
        @Override
        public void accept(Change change) {
            link.answer(() -> listener.accept(change));
        }
    }

    /**
     * Opens it.
     *
     * @param reaches whether anything travels on it now
     * @param runs whether its owner takes what comes
     * @param distortion what arrives at the store of a request, perhaps after something else
     */
    SteppedLink(
            InMemoryStore session,
            Clock clock,
            BooleanSupplier reaches,
            BooleanSupplier runs,
            Function<List<Operation<?>>, List<Operation<?>>> distortion) {
        super(session);
        this.reaches = reaches;
        this.runs = runs;
        this.session = session;
        this.clock = clock;
        this.distortion = distortion;
    }

    /** Does something while everything travels at once. */
    void atOnce(Runnable action) {
        isImmediate = true;
        action.run();
        isImmediate = false;
    }

    private void request(Runnable request) {
        requests.add(request);
        while (isImmediate && hasRequest()) {
            deliverRequest();
        }
    }

    private void answer(Runnable answer) {
        if (isOver) {
            return;
        }
        answers.add(answer);
        while (isImmediate && hasAnswer()) {
            deliverAnswer();
        }
    }

    private boolean hasRequest() {
        return !requests.isEmpty();
    }

    private boolean hasAnswer() {
        return !answers.isEmpty();
    }

    boolean mayDeliverRequest() {
        return hasRequest() && reaches.getAsBoolean();
    }

    boolean mayDeliverAnswer() {
        return hasAnswer() && reaches.getAsBoolean() && runs.getAsBoolean();
    }

    boolean reaches() {
        return reaches.getAsBoolean();
    }

    /** Returns whether nothing happens on it any more. */
    boolean isIdle() {
        return isOver && hasExpired && requests.isEmpty();
    }

    void deliverRequest() {
        requests.remove().run();
    }

    void deliverAnswer() {
        answers.remove().run();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // each passes its end on to the other
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration limit) {
        CompletableFuture<List<@Nullable Object>> answer = new CompletableFuture<>();
        if (isOver) {
            answer.completeExceptionally(lost());
            return answer;
        }
        List<Operation<?>> asked = List.copyOf(operations);
        boolean isForever = limit.equals(Store.FOREVER);
        pending.add(new Pending(answer, asked, limit, isForever ? Long.MAX_VALUE : clock.nanoTime() + limit.toNanos()));
        request(() -> {
            List<Operation<?>> arriving = arriving(asked);
            int more = arriving.size() - asked.size();
            CompletableFuture<List<@Nullable Object>> there = session.submit(arriving, Store.FOREVER);
            there.whenComplete((results, failure) -> answer(() -> complete(answer, more, results, failure)));
            answer.whenComplete((results, failure) -> {
                if (failure != null) {
                    there.cancel(true);
                }
            });
        });
        return answer;
    }

    private void complete(
            CompletableFuture<List<@Nullable Object>> answer,
            int more,
            @Nullable List<@Nullable Object> results,
            @Nullable Throwable failure) {
        pending.removeIf(each -> each.answer() == answer);
        if (results == null) {
            answer.completeExceptionally(failure);
        } else {
            answer.complete(results.subList(more, results.size()));
        }
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        if (!isOver) {
            List<Operation<?>> sent = List.copyOf(operations);
            request(() -> session.send(arriving(sent)));
        }
    }

    private List<Operation<?>> arriving(List<Operation<?>> operations) {
        return distortion.apply(
                operations.stream().<Operation<?>>map(this::travelling).toList());
    }

    private Operation<?> travelling(Operation<?> operation) {
        if (operation instanceof Operation.Watch watch) {
            return new Operation.Watch(watch.key(), new Travelling(this, watch.listener()));
        } else if (operation instanceof Operation.Unwatch unwatch) {
            return new Operation.Unwatch(unwatch.key(), new Travelling(this, unwatch.listener()));
        } else if (operation instanceof Operation.WatchPrefix watch) {
            return new Operation.WatchPrefix(watch.prefix(), new Travelling(this, watch.listener()));
        } else if (operation instanceof Operation.UnwatchPrefix unwatch) {
            return new Operation.UnwatchPrefix(unwatch.prefix(), new Travelling(this, unwatch.listener()));
        }
        return operation;
    }

    /** Ends the requests whose limits have passed. */
    void passLimits() {
        for (Pending late : List.copyOf(pending)) {
            if (clock.nanoTime() >= late.due() && pending.remove(late)) {
                late.answer().completeExceptionally(timeout(late));
            }
        }
    }

    private static StoreException timeout(Pending late) {
        for (Operation<?> operation : late.operations()) {
            if (operation instanceof Operation.Arrive arrive) {
                return new BarrierTimeoutException(
                        arrive.barrier().name(), arrive.participants(), IndexSet.empty(), late.limit());
            }
        }
        return new StoreTimeoutException("no answer to " + late.operations(), late.limit());
    }

    @Override
    public void onLost(Consumer<? super StoreException> listener) {
        listeners.add(listener);
    }

    boolean isOver() {
        return isOver;
    }

    boolean hasExpired() {
        return hasExpired;
    }

    private static StoreLostException lost() {
        return new StoreLostException("host:4000", "the store is lost", null);
    }

    /** Its owner learns that its session is over: the store is lost, or has given it up. */
    void lose() {
        if (!isOver) {
            StoreException why = hasExpired && reaches() ? new SessionExpiredException("the owner was silent") : lost();
            end();
            listeners.forEach(listener -> listener.accept(why));
        }
    }

    /** What it has sent is still on its way. */
    private void end() {
        isOver = true;
        answers.clear();
        List<Pending> left = List.copyOf(pending);
        pending.clear();
        left.forEach(each -> each.answer().completeExceptionally(lost()));
    }

    /** Returns whether the store has yet to learn that the owner is gone. */
    boolean isToExpire() {
        return isOver && !isLeaving && !hasExpired;
    }

    /** The store learns that the owner is gone, or believes it: what is still on its way does not arrive. */
    void expire() {
        if (!hasExpired) {
            hasExpired = true;
            requests.clear();
            session.abandon();
        }
    }

    /** The owner is gone; the store will learn it. */
    @Override
    public void abandon() {
        if (!isOver) {
            end();
        }
    }

    /** The owner says goodbye, after all that it has sent. */
    @Override
    public void close() {
        if (!isOver) {
            end();
            isLeaving = true;
            request(() -> {
                hasExpired = true;
                session.close();
            });
        }
    }
}

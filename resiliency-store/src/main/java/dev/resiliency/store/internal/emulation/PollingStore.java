package dev.resiliency.store.internal.emulation;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Answer;
import dev.resiliency.store.internal.BackgroundLog;
import dev.resiliency.store.internal.Nanos;
import dev.resiliency.store.internal.RateLimitedLog;
import dev.resiliency.store.internal.SessionEnd;
import dev.resiliency.store.spi.EmulatedStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PlainStore;
import dev.resiliency.store.spi.StoreAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An emulated store that polls the plain store for what is awaited or watched. */
final class PollingStore implements EmulatedStore {
    private static final BackgroundLog LOG = BackgroundLog.of(PollingStore.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
    // The time within which the loss of an otherwise idle store is noticed.
    private static final Duration IDLE_PAUSE = Duration.ofSeconds(1);
    private static final String PROBE = "resiliency:probe";
    private static final long CLOSE_SECONDS = 2;

    private final PlainStore plain;
    private final Duration timeout;
    private final Duration pollInterval;
    private final String name;
    private final long session;
    private final SessionEnd loss = new SessionEnd();
    private final ScheduledThreadPoolExecutor executor;
    private volatile @Nullable Thread thread; // set once, by the thread that makes the executor start it

    // The store's thread owns all of these.
    private final RateLimitedLog warnings = new RateLimitedLog(LOG, System::nanoTime);
    private final EmulatedOperations operations;
    private final EmulatedBarriers barriers;
    private final EmulatedWatches watches;
    private final List<EmulatedRequest> waiting = new ArrayList<>();
    private Duration pause = FIRST_PAUSE;
    private @Nullable ScheduledFuture<?> nextLook;

    PollingStore(PlainStore plain, Duration timeout, Duration pollInterval, String name) {
        this.plain = plain;
        this.timeout = timeout;
        this.pollInterval = pollInterval;
        this.name = name;
        this.session = new SecureRandom().nextLong(1, Long.MAX_VALUE);
        this.operations = new EmulatedOperations(plain);
        this.barriers = new EmulatedBarriers(plain, operations, session);
        this.watches = new EmulatedWatches(operations, warnings);
        this.executor = new ScheduledThreadPoolExecutor(1, this::newThread);
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.execute(this::scheduleLook);
    }

    private Thread newThread(Runnable runnable) {
        Thread started = new Thread(runnable, "resiliency-store-" + name);
        started.setDaemon(true);
        thread = started;
        return started;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the last stage only passes a cancellation on
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        Answer answer = new Answer(() -> Thread.currentThread() == thread);
        long deadline = System.nanoTime() + Math.min(Nanos.of(timeout), Long.MAX_VALUE / 2);
        EmulatedRequest request = new EmulatedRequest(
                this.operations, barriers, watches, List.copyOf(operations), timeout, deadline, answer);
        enter(() -> begin(request), answer::completeExceptionally);
        answer.whenComplete((results, failure) -> {
            if (answer.isCancelled()) {
                enter(() -> waiting.remove(request), ended -> {});
            }
        });
        return answer;
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        // A request that would have to wait times out at once, which no one learns.
        EmulatedRequest request = new EmulatedRequest(
                this.operations,
                barriers,
                watches,
                List.copyOf(operations),
                Duration.ZERO,
                System.nanoTime(),
                new CompletableFuture<>());
        enter(() -> begin(request), ended -> {});
    }

    /** Runs the action on the store's thread if the store is still open; otherwise reports why not. */
    private void enter(Runnable action, Consumer<StoreException> otherwise) {
        try {
            executor.execute(() -> {
                Supplier<? extends StoreException> lost = loss.reason();
                if (lost == null) {
                    action.run();
                } else {
                    otherwise.accept(lost.get());
                }
            });
        } catch (RejectedExecutionException ended) {
            Supplier<? extends StoreException> lost = loss.reason();
            otherwise.accept(lost == null ? closed() : lost.get());
        }
    }

    private void begin(EmulatedRequest request) {
        if (goesOn(request)) {
            waiting.add(request);
            pause = FIRST_PAUSE;
        }
        scheduleLook(); // the request may now be waiting, or watching
    }

    /** Advances a request as far as possible; returns whether it is still waiting. */
    private boolean goesOn(EmulatedRequest request) {
        try {
            return request.waitsOn(System.nanoTime());
        } catch (StoreLostException lost) {
            request.answer().completeExceptionally(lost);
            lose(lost);
        } catch (StoreException failure) {
            request.answer().completeExceptionally(failure);
        } catch (Throwable defect) { // an Error, too: nothing else would answer
            request.answer().completeExceptionally(new StoreException("the store failed: " + defect, defect));
        }
        return false;
    }

    /** Polls for everything that is awaited or, if nothing is, checks that the plain store is still there. */
    private void look() {
        nextLook = null;
        try {
            if (waiting.isEmpty() && watches.isEmpty()) {
                plain.exist(List.of(PROBE));
            }
            boolean hasChanged = hasWatchedChanged();
            Iterator<EmulatedRequest> requests = List.copyOf(waiting).iterator();
            while (requests.hasNext() && loss.reason() == null) {
                EmulatedRequest request = requests.next();
                if (!goesOn(request)) {
                    waiting.remove(request);
                    hasChanged = true;
                }
            }
            pause = hasChanged ? FIRST_PAUSE : shorter(pause.multipliedBy(2), pollInterval);
        } catch (StoreLostException lost) {
            lose(lost);
        } catch (Throwable failure) {
            warnings.warn("{} failed to poll for changes; it will retry", this, failure);
        } finally {
            scheduleLook();
        }
    }

    /** Returns whether something watched had changed. A failure here must not keep waiting requests from their turn. */
    private boolean hasWatchedChanged() {
        try {
            return watches.look();
        } catch (StoreLostException lost) {
            throw lost;
        } catch (Throwable failure) {
            warnings.warn("{} failed to poll the watched keys; it will retry", this, failure);
            return false;
        }
    }

    /** Schedules the next poll, unless one is already due sooner: many requests must not postpone it indefinitely. */
    private void scheduleLook() {
        if (loss.reason() != null || executor.isShutdown()) {
            return;
        }
        long delay = untilNextLook();
        if (nextLook != null) {
            if (nextLook.getDelay(TimeUnit.NANOSECONDS) <= delay) {
                return;
            }
            nextLook.cancel(false);
        }
        nextLook = executor.schedule(this::look, delay, TimeUnit.NANOSECONDS);
    }

    private long untilNextLook() {
        if (waiting.isEmpty() && watches.isEmpty()) {
            return IDLE_PAUSE.toNanos();
        }
        long now = System.nanoTime();
        return waiting.stream()
                .mapToLong(request -> Math.max(0, request.deadline() - now))
                .reduce(pause.toNanos(), Math::min);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void lose(StoreLostException lost) {
        Supplier<StoreException> reason =
                () -> new StoreLostException(lost.address(), String.valueOf(lost.getMessage()), lost);
        if (loss.lost(reason)) {
            plain.close();
            fail(reason);
            loss.tell();
        }
    }

    private void fail(Supplier<? extends StoreException> reason) {
        waiting.forEach(request -> request.answer().completeExceptionally(reason.get()));
        waiting.clear();
    }

    private StoreException closed() {
        return new StoreLostException(plain.toString(), "the store was closed", null);
    }

    /** The same as {@link #close}: such a store detects no deaths, and carries out no last will. */
    @Override
    public void abandon() {
        close();
    }

    @Override
    public void close() {
        if (loss.goodbye(this::closed)) {
            plain.close(); // also ends the call in progress on the thread
        }
        try {
            executor.execute(this::end);
        } catch (RejectedExecutionException ended) {
            // Shut down by another close: no request is left waiting.
        }
        join();
    }

    /**
     * Runs on the thread itself. Guards against a race of two calls of close: the first must leave no request waiting.
     */
    private void end() {
        fail(this::closed);
        executor.shutdown();
    }

    /** Waits until the thread has ended, for a limited time. An interrupt ends the wait. */
    private void join() {
        Thread last = thread;
        if (last == null || last == Thread.currentThread()) {
            return;
        }
        try {
            last.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
            if (last.isAlive()) {
                LOG.warn("The thread {} has not ended within {} s", last.getName(), CLOSE_SECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void onLost(Consumer<? super StoreException> listener) {
        loss.listen(listener);
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    @Override
    public long session() {
        return session;
    }

    @Override
    public Operation.Renew renewal() {
        return new Operation.Renew(session, Value.empty());
    }

    @Override
    public @Nullable StoreAddress address() {
        return plain.address();
    }

    /** Returns false. */
    @Override
    public boolean keepsSessions() {
        return false;
    }

    @Override
    public String toString() {
        return "EmulatedStore(" + plain + ")";
    }
}

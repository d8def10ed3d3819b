package dev.resiliency.testing;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.store.Store;
import dev.resiliency.store.spi.InMemoryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link CallWrapper} for unit tests of a function: the test begins the restart, and checks what the function did.
 *
 * <pre>{@code
 * FakeCallWrapper call = new FakeCallWrapper();
 * Future<?> training = executor.submit(() -> train(call));
 * call.restart();
 * assertThatThrownBy(training::get).hasCauseInstanceOf(RestartSignal.class);
 * assertThat(call.pings()).isPositive();
 * }</pre>
 *
 * <p>{@link #stopAtSafePoint} ends the function at a safe point, as when ranks join.
 *
 * <p>It follows the rules of the real one: after the restart has begun every method but {@link #state}, {@link
 * #iteration}, {@link #lastEvent} and {@link #store} throws {@link RestartSignal}, except to a thread in an atomic section, and the restart
 * waits for such a section before it aborts. It interrupts no thread. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class FakeCallWrapper implements CallWrapper {
    /** The limit of a restart's wait for an atomic section, and for the abort actions. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final long NO_STEP = -1;

    private final State state;
    private final WorldEvent lastEvent;
    private final Store store;
    /** What the function keeps, in this call and the {@link #next} ones. Guarded by itself. */
    private final Map<Class<?>, Object> kept;

    private final AtomicLong pings = new AtomicLong();
    private final AtomicInteger atomicSections = new AtomicInteger();
    private final AtomicInteger openPauses = new AtomicInteger();
    private final ReentrantLock section = new ReentrantLock();
    /** Newest first. Guarded by itself. */
    private final Deque<Abortable> abortables = new ArrayDeque<>();
    /** True once the restart has taken the abortables. Guarded by {@code abortables}. */
    private boolean aborted;
    /** Written by the test, once; read by the function. */
    private volatile boolean restarting;
    /** The latest step; {@link #NO_STEP} before the first. */
    private final AtomicLong step = new AtomicLong(NO_STEP);
    /** Written by the test. */
    private volatile long lastStep = Long.MAX_VALUE;
    /** Null until the function tells that it has failed. */
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    /** Null until the function asks to leave. */
    private final AtomicReference<@Nullable String> leaveReason = new AtomicReference<>();

    /** Creates the first call of a job of one rank, with its own store. */
    public FakeCallWrapper() {
        this(0, 1, InMemoryStore.create());
    }

    /** Creates the first call of an active rank whose initial rank and active rank are {@code rank}. */
    public FakeCallWrapper(int rank, int worldSize, Store store) {
        this(new State(rank, worldSize, rank, worldSize, State.Mode.ACTIVE, rank, worldSize, 0), store);
    }

    /**
     * Creates a call in this state, as if this process had started with it. Ranks that exchange data share the contents
     * of their stores.
     */
    public FakeCallWrapper(State state, Store store) {
        this(state, store, new WorldEvent.Started(state.iteration(), state.activeWorldSize()));
    }

    /** Creates a call in this state, in a world that came about with {@code lastEvent}. */
    public FakeCallWrapper(State state, Store store, WorldEvent lastEvent) {
        this(state, store, lastEvent, new HashMap<>());
    }

    private FakeCallWrapper(State state, Store store, WorldEvent lastEvent, Map<Class<?>, Object> kept) {
        this.state = state;
        this.lastEvent = lastEvent;
        this.store = store;
        this.kept = kept;
    }

    /** Returns the call of a later iteration in the same process, which {@linkplain #keep keeps} what this one has. */
    public FakeCallWrapper next(State later, Store itsStore) {
        return new FakeCallWrapper(later, itsStore, lastEvent, kept);
    }

    /** Begins the restart and returns at once: from now on, calls throw {@link RestartSignal}. Aborts nothing. */
    public void beginRestart() {
        restarting = true;
    }

    /**
     * Restarts: begins the restart, waits for a running atomic section, then runs all registered abort actions, each on
     * its own thread, and waits for them.
     *
     * @throws AssertionError if a section or an action has not ended within 10 s, or if an action threw, with what it
     *     threw suppressed
     */
    public void restart() throws InterruptedException {
        beginRestart();
        if (!section.tryLock(LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError("an atomic section has not ended within " + LIMIT.toSeconds() + " s");
        }
        section.unlock();
        abort(takeAbortables());
    }

    private List<Abortable> takeAbortables() {
        synchronized (abortables) {
            aborted = true;
            List<Abortable> taken = List.copyOf(abortables);
            abortables.clear();
            return taken;
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever an action throws fails the test
    private static void abort(List<Abortable> actions) throws InterruptedException {
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (Abortable action : actions) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            action.abort();
                        } catch (Exception | Error e) {
                            failures.add(e);
                        }
                    },
                    "abort-" + threads.size());
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        long deadline = System.nanoTime() + LIMIT.toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            if (thread.isAlive()) {
                failures.add(new AssertionError("an abort action has not ended within " + LIMIT.toSeconds()
                        + " s; it is at " + List.of(thread.getStackTrace())));
            }
        }
        if (!failures.isEmpty()) {
            AssertionError failure = new AssertionError(failures.size() + " abort actions failed: " + failures);
            failures.forEach(failure::addSuppressed);
            throw failure;
        }
    }

    /**
     * Lets {@link #step} throw {@link RestartSignal} at this step, which the function must not have passed.
     *
     * @throws IllegalStateException if it has
     */
    public void stopAtSafePoint(long last) {
        lastStep = last;
        if (step.get() >= last) {
            throw new IllegalStateException("the function has passed step " + step.get() + " already");
        }
    }

    /** Returns the latest step that the function has passed by {@link #step}; -1 before the first. */
    public long latestStep() {
        return step.get();
    }

    /** Returns why the function has asked to {@link #leave}; null if it has not. */
    public @Nullable String leaveReason() {
        return leaveReason.get();
    }

    /** Returns what the function has told to have {@linkplain #fail failed} with; null if it has not. */
    public @Nullable Throwable failure() {
        return failure.get();
    }

    /** Returns the number of {@link #ping pings}, including {@linkplain #step steps}. */
    public long pings() {
        return pings.get();
    }

    /** Returns the number of completed outermost {@link #atomic atomic sections}. */
    public int atomicSections() {
        return atomicSections.get();
    }

    /** Returns whether any thread is in an {@link #atomic atomic section}. */
    public boolean isInAtomicSection() {
        return section.isLocked();
    }

    /** Returns whether the {@link #disableHangProtection hang protection} is off. */
    public boolean isHangProtectionDisabled() {
        return openPauses.get() > 0;
    }

    /** Returns the abort actions that a restart would run, newest first. */
    public List<Abortable> abortables() {
        synchronized (abortables) {
            return List.copyOf(abortables);
        }
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public WorldEvent lastEvent() {
        return lastEvent;
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public <T> T keep(Class<T> type, Supplier<? extends T> create) {
        checkRestart();
        synchronized (kept) {
            Object found = kept.get(type);
            if (found == null) {
                found = create.get();
                kept.put(type, found);
            }
            return type.cast(found);
        }
    }

    @Override
    public void ping() {
        checkRestart();
        pings.incrementAndGet();
    }

    @Override
    public void checkRestart() {
        if (restarting && !section.isHeldByCurrentThread()) {
            throw signal();
        }
    }

    @Override
    public void step(long next) {
        ping();
        if (next >= lastStep) {
            throw signal();
        }
        long before = step.getAndSet(next);
        if (next <= before) {
            throw new IllegalArgumentException(
                    "step " + next + " comes after step " + before + ": each step must have a larger number");
        }
    }

    @Override
    public void leave(String reason) {
        leaveReason.compareAndSet(null, reason);
        checkRestart();
    }

    @Override
    public void fail(Throwable cause) {
        failure.compareAndSet(null, Objects.requireNonNull(cause, "cause is null"));
    }

    private RestartSignal signal() {
        return new RestartSignal(state.iteration());
    }

    @Override
    public AtomicSection atomic() {
        section.lock();
        // Checked after taking the lock: a restart that begins now waits for this section.
        if (restarting && section.getHoldCount() == 1) {
            section.unlock();
            throw signal();
        }
        return new Section();
    }

    @Override
    public void onAbort(Abortable action) {
        synchronized (abortables) {
            if (!aborted) {
                abortables.push(action);
                return;
            }
        }
        RestartSignal signal = signal();
        try {
            action.abort();
        } catch (Exception | Error e) {
            signal.addSuppressed(e);
        }
        throw signal;
    }

    @Override
    public HangProtectionPause disableHangProtection() {
        checkRestart();
        openPauses.incrementAndGet();
        return new Pause();
    }

    /** A pause, of which closing is idempotent. */
    private final class Pause implements HangProtectionPause {
        private boolean closed; // guarded by this pause

        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                openPauses.decrementAndGet();
            }
        }
    }

    /** A section of this call, whose rank is always a member of its job. */
    private final class Section implements AtomicSection {
        @Override
        public void confirm() {
            if (!section.isHeldByCurrentThread()) {
                throw new IllegalMonitorStateException("this thread is in no atomic section");
            }
        }

        @Override
        public void close() {
            boolean outermost = section.getHoldCount() == 1;
            section.unlock();
            if (outermost) {
                atomicSections.incrementAndGet();
            }
        }
    }
}

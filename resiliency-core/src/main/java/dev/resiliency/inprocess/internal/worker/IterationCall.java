package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.store.Store;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The {@link CallWrapper} of one iteration. */
public final class IterationCall implements CallWrapper {
    /** The name of the last part of user code. */
    static final String FUNCTION = "function";

    private static final VarHandle PINGS = pingsHandle();

    private final State state;
    private final WorldEvent lastEvent;
    private final Store store;
    private final RestartSignals signals;
    private final AtomicGate gate;
    private final SafePointGate safePoints;
    private final Waker waker;
    private final Consumer<? super String> onLeave;
    private final KeptObjects kept;
    /** The number of open pauses of the hang protection. Written by the workers, read by the watchdog. */
    private final AtomicInteger pauses = new AtomicInteger();
    /** How many of them wait for other ranks. Written by the workers, read by the watchdog and the monitor thread. */
    private final AtomicInteger waits = new AtomicInteger();
    /** Newest first. Guarded by itself. */
    private final Deque<Abortable> abortables = new ArrayDeque<>();
    /** True once the abort has taken the abortables. Guarded by {@code abortables}. */
    private boolean aborted;
    /** Counts the pings of the function; only that it changes matters, so a lost update does not. Accessed as opaque. */
    @SuppressWarnings("UnusedVariable") // accessed through PINGS
    private long pings;

    /** Written by the worker before it counts the ping. */
    private volatile long firstPing;

    /** What the function has failed with, before its cleanup. Written by any thread of the function, read by the monitor thread. */
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** The name of the current part of user code. Written by the worker. */
    private volatile String part = "prepare hook";

    /**
     * Creates the call of an iteration.
     *
     * @param onLeave receives why the function asks to leave the job
     * @param kept what the function keeps from iteration to iteration
     * @param membership asks the store whether this rank still belongs to its job
     */
    public IterationCall(
            State state,
            WorldEvent lastEvent,
            Store store,
            Supplier<CompletableFuture<Boolean>> membership,
            Waker waker,
            Consumer<? super String> onLeave,
            KeptObjects kept) {
        this.state = state;
        this.lastEvent = lastEvent;
        this.store = store;
        this.signals = new RestartSignals(state.iteration());
        this.gate = new AtomicGate(signals, waker, () -> pausedUntil(membership.get()));
        this.safePoints = new SafePointGate(signals, waker);
        this.waker = waker;
        this.onLeave = onLeave;
        this.kept = kept;
    }

    private static VarHandle pingsHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(IterationCall.class, "pings", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
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

    /** Sets the name of the current part of user code, for messages. */
    void begin(String newPart) {
        part = newPart;
    }

    /** Returns the name of the current or last part of user code, for messages. */
    public String part() {
        return part;
    }

    /** Returns whether the function has begun. From any thread. */
    public boolean hasBegun() {
        return part.equals(FUNCTION);
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public <T> T keep(Class<T> type, Supplier<? extends T> create) {
        checkRestart();
        return kept.get(type, create);
    }

    @Override
    public void ping() {
        checkRestart();
        long before = pings();
        if (before == 0) {
            firstPing = System.nanoTime();
        }
        PINGS.setOpaque(this, before + 1);
    }

    /** Returns when the function has pinged first, by {@link System#nanoTime}; only after it has. From any thread. */
    public long firstPing() {
        return firstPing;
    }

    @Override
    public void checkRestart() {
        if (gate.stopsThisThread()) {
            throw signals.next();
        }
    }

    @Override
    public void step(long step) {
        ping();
        safePoints.pass(step);
    }

    /** Returns the steps that the function has passed. */
    public SafePointGate safePoints() {
        return safePoints;
    }

    @Override
    public void leave(String reason) {
        onLeave.accept(Objects.requireNonNull(reason, "reason is null"));
        checkRestart();
    }

    @Override
    public void fail(Throwable cause) {
        Objects.requireNonNull(cause, "cause is null");
        if (!(cause instanceof RestartSignal || Faults.endsRank(cause)) && failure.compareAndSet(null, cause)) {
            waker.wake();
        }
    }

    /** Returns what the function has failed with, before its cleanup; null if it has not told. From any thread. */
    public @Nullable Throwable failure() {
        return failure.get();
    }

    @Override
    public AtomicSection atomic() {
        return gate.enter();
    }

    @Override
    public void onAbort(Abortable action) {
        synchronized (abortables) {
            if (!aborted) {
                abortables.push(action);
                return;
            }
        }
        // The restart began between the opening of the resource and this call, so it must be closed here.
        RestartSignal signal = signals.next();
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
        pauses.incrementAndGet();
        return new Pause(pauses::decrementAndGet);
    }

    @Override
    public HangProtectionPause waitsForPeers() {
        HangProtectionPause pause = disableHangProtection();
        waits.incrementAndGet();
        return new Pause(() -> {
            waits.decrementAndGet();
            pause.close();
        });
    }

    /** Returns whether the function says that it waits for other ranks. From any thread. */
    public boolean isWaitingForPeers() {
        return waits.get() > 0;
    }

    /** Pauses the hang protection until the store has answered: an outage of it has limits of its own, and is no hang of the function. */
    private CompletableFuture<Boolean> pausedUntil(CompletableFuture<Boolean> answer) {
        pauses.incrementAndGet();
        return answer.whenComplete((isMember, failure) -> pauses.decrementAndGet());
    }

    /** Returns the number of pings of the function, except for some by several threads at once. */
    public long pings() {
        return (long) PINGS.getOpaque(this);
    }

    public boolean isHangProtectionPaused() {
        return pauses.get() > 0;
    }

    /** Begins the restart: from now on every call throws. */
    void shut() {
        gate.shut();
    }

    /** Returns the thread whose atomic section runs; null if none does. After {@link #shut} none begins. */
    @Nullable
    Thread sectionOwner() {
        return gate.owner();
    }

    /** Returns whether an atomic section runs, or ran less than this time ago. From any thread. */
    public boolean wasInSection(Duration time) {
        return gate.ranWithin(time);
    }

    /** Ends the atomic section of a thread that has ended without closing it. */
    void closeSectionFor(Thread ended) {
        gate.closeFor(ended);
    }

    /** Returns whether a method of this call has thrown a {@link RestartSignal}. */
    boolean hasSignalled() {
        return signals.any();
    }

    /** Hands out the actions to run, newest first; one that is registered later runs on the registering thread. */
    List<Abortable> takeAbortables() {
        synchronized (abortables) {
            aborted = true;
            List<Abortable> taken = List.copyOf(abortables);
            abortables.clear();
            return taken;
        }
    }

    /** A pause, of which closing is idempotent. */
    private static final class Pause implements HangProtectionPause {
        private final Runnable end;
        /** Guarded by this pause. */
        private boolean closed;

        Pause(Runnable end) {
            this.end = end;
        }

        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                end.run();
            }
        }
    }
}

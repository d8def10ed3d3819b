package dev.resiliency.inprocess.internal.watch;

import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Connects the restart loop and the watchdog: passes on which thread must make progress, and which makes none. */
public final class Supervision {
    private final Waker waker;
    /** Written by the monitor thread. */
    private volatile @Nullable Watched watched;
    /** Written by the watchdog. */
    private volatile @Nullable Hang hang;

    /** The latest report of the watchdog that the monitor thread has not taken yet. */
    private final AtomicReference<@Nullable Thread> stalled = new AtomicReference<>();
    /** Written by the watchdog. */
    private volatile @Nullable Silence silence;
    /** What it was when the watchdog looked before. Written by the watchdog. */
    private volatile @Nullable Silence silenceBefore;
    /** Written by the monitor thread. */
    private volatile @Nullable Excuse excuse;
    /** Written by the thread that looks for it when one stalls. */
    private volatile @Nullable OutOfMemory outOfMemory;
    /** Written by the watchdog or the monitor thread, whichever begins a look, and by the thread that looks when it has. */
    private volatile boolean isLooking;
    /** Finds out whether memory has run out; null if nobody does. Written before the monitor thread and the watchdog start. */
    private volatile @Nullable Consumer<? super Thread> onLook;

    public Supervision(Waker waker) {
        this.waker = waker;
    }

    /**
     * A thread on which user code runs.
     *
     * @param call the call of its iteration, if it runs the function and may ping
     */
    public record Watched(Thread thread, @Nullable IterationCall call) {}

    private record Hang(Thread thread, Statement what) {}

    private record OutOfMemory(Thread thread, String message) {}

    private record Excuse(Thread thread, long at) {}

    public void begin(Thread thread, @Nullable IterationCall call) {
        watched = new Watched(thread, call);
    }

    /** Ends the watch: from now on this rank waits for others, which is not a hang. */
    public void end() {
        watched = null;
    }

    /** Returns the thread that must make progress; null if none must. From any thread. */
    @Nullable
    public Watched watched() {
        return watched;
    }

    /** Reports that a thread has made no progress for the soft timeout. From any thread. */
    public void reportHang(Thread thread, Statement what) {
        hang = new Hang(thread, what);
        waker.wake();
    }

    /** Returns the report on this thread; null if there is none. A report on an earlier thread is ignored. */
    @Nullable
    public Statement hangOf(Thread thread) {
        Hang found = hang;
        return found != null && found.thread() == thread ? found.what() : null;
    }

    /** Reports since when a thread makes no progress; null if it makes some, or has not made any for a short time only. From any thread. */
    public void reportSilence(@Nullable Silence latest) {
        silenceBefore = silence;
        silence = latest;
    }

    /** Returns since when this thread makes no progress; null if it makes some, or has not made any for a short time only. */
    @Nullable
    Silence silenceOf(Thread thread) {
        return of(thread, silence);
    }

    private static @Nullable Silence of(Thread thread, @Nullable Silence found) {
        return found != null && found.thread() == thread ? found : null;
    }

    /**
     * Returns where this thread stands, when another rank has found a hang; null if that says nothing.
     *
     * @param now a time of {@link System#nanoTime}
     */
    @Nullable
    public Statement whereItStands(Thread thread, long now) {
        Watched current = watched;
        return current == null || current.thread() != thread
                ? null
                : WhereItStands.whenAsked(current, silenceOf(thread), now);
    }

    /**
     * Returns where this thread waited before it lost a connection; null if it made progress. The watchdog may have looked once since
     * then, and found progress, or the thread at its end.
     *
     * @param now a time of {@link System#nanoTime}
     */
    @Nullable
    public Statement whereItWaited(Thread thread, long now) {
        Silence before = of(thread, silenceBefore);
        Silence waited = before == null ? silenceOf(thread) : before;
        return waited == null || waited.where().standing().frames().isEmpty()
                ? null
                : waited.inASocket().statement(now, "");
    }

    /**
     * Returns where the thread stands that must make progress; null if none must. From any thread.
     *
     * @param now a time of {@link System#nanoTime}
     */
    @Nullable
    public Statement whereItStands(long now) {
        Watched current = watched;
        if (current == null) {
            return null;
        }
        Silence latest = silenceOf(current.thread());
        return latest == null ? WhereItStands.of(current).statement("") : latest.statement(now, "");
    }

    /** Reports that a thread has made no progress for a part of the soft timeout. From any thread. */
    public void reportStall(Thread thread) {
        stalled.set(thread);
        waker.wake();
    }

    /** Returns whether this thread was reported since the last call. For the monitor thread. */
    public boolean takeStall(Thread thread) {
        return stalled.getAndSet(null) == thread;
    }

    /** Sets what finds out whether memory has run out for a thread, and must not block. */
    public void onLook(Consumer<? super Thread> listener) {
        onLook = listener;
    }

    /**
     * Finds out whether memory has run out, if that was not done when the thread fell silent: of one whose JVM did little but collect
     * garbage, most of the silence does not count.
     */
    public void look(Thread thread) {
        Consumer<? super Thread> listener = onLook;
        if (listener != null && silenceOf(thread) == null) {
            listener.accept(thread);
        }
    }

    /** Reports whether a thread looks whether memory has run out. */
    public void reportLook(boolean begins) {
        isLooking = begins;
        waker.wake();
    }

    /** Returns whether it is not known yet if memory has run out for a thread that makes no progress. */
    public boolean isLooking() {
        return isLooking;
    }

    /** Reports that memory has run out in this process, and a thread makes no progress. From any thread. */
    public void reportOutOfMemory(Thread thread, String message) {
        outOfMemory = new OutOfMemory(thread, message);
    }

    /** Returns the report that memory has run out while this thread made no progress; null if there is none. */
    @Nullable
    public String outOfMemoryOf(Thread thread) {
        OutOfMemory found = outOfMemory;
        return found != null && found.thread() == thread ? found.message() : null;
    }

    /** Counts {@code at}, a time of {@link System#nanoTime}, as progress of this thread: it waits for another rank. */
    public void excuse(Thread thread, long at) {
        excuse = new Excuse(thread, at);
    }

    /** Returns until when this thread is excused; empty if it is not. From any thread. */
    public OptionalLong excusedUntil(Thread thread) {
        Excuse latest = excuse;
        return latest != null && latest.thread() == thread ? OptionalLong.of(latest.at()) : OptionalLong.empty();
    }
}

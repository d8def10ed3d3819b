package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RankDiscardedException;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.Outcome;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.protocol.Terminations;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.internal.worker.LeavingOnPurpose;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreLostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Decides whether and why this rank leaves its job. Confined to the monitor thread, except for the alarm. */
final class Departure {
    /** How long a process that goes on after it was suspended may take, on a busy host, to learn what the others have done. */
    private static final Duration NEWS = Duration.ofSeconds(5);

    private Terminations terminations;
    private final Waker waker;
    private final Clock clock;
    private final Announcements announcements;
    private final int rank;
    /** Written by the monitor thread, guarded by this. */
    private StoreHost host;

    private final Voter voter;
    private final LeaveRequest request;
    /** Set by whichever thread first learns of a reason to leave; the monitor thread forgets it with the store that was lost. */
    private final AtomicReference<@Nullable Throwable> alarm = new AtomicReference<>();
    /** Written by the caller's thread, read by the monitor thread. */
    private volatile @Nullable InterruptedException callersInterrupt;

    private @Nullable Throwable reason;
    /** Done when the store has been notified, or cannot be. */
    private CompletableFuture<?> farewell = CompletableFuture.completedFuture(null);

    Departure(
            Terminations terminations,
            Waker waker,
            Clock clock,
            Announcements announcements,
            int rank,
            StoreHost host,
            Voter voter,
            LeaveRequest request) {
        this.terminations = terminations;
        this.waker = waker;
        this.clock = clock;
        this.announcements = announcements;
        this.rank = rank;
        this.host = host;
        this.voter = voter;
        this.request = request;
    }

    /** Raises an alarm: a reason to leave, which the monitor thread will find. From any thread. */
    void raise(Throwable because) {
        if (because instanceof InterruptedException interrupt) {
            callersInterrupt = interrupt;
        }
        alarm.compareAndSet(null, because);
        waker.wake();
    }

    /** Returns the reason given to {@link #raise}; null if there is none. */
    @Nullable
    Throwable alarm() {
        return alarm.get();
    }

    /** Raises an alarm that the store of this host has caused, unless this rank has another by now. From any thread. */
    synchronized void raise(StoreHost of, Throwable because) {
        if (of == host) {
            raise(because);
        }
    }

    /** Learns why the host of a store ends. From any thread. */
    void hostEnds(StoreHost of, Interruption why) {
        of.ends(why);
        StoreLostException ahead = of.lossAhead();
        if (ahead != null) {
            raise(of, ahead);
        }
    }

    /** Forgets that the store was lost, as this rank has another. */
    synchronized void moveTo(Terminations there, StoreHost hostThere) {
        terminations = there;
        host = hostThere;
        alarm.set(null);
        Throwable interrupt =
                callersInterrupt; // read after that: one that comes meanwhile has found the alarm set, or finds it open
        if (interrupt != null) {
            alarm.compareAndSet(null, interrupt);
        }
    }

    /** Returns whether the job ends with this process, as its store does. */
    boolean endsStore() {
        return host.isHere() && !voter.votes();
    }

    /** Returns the same with its true reason, as far as this rank knows one. */
    Throwable explain(Throwable because) {
        return host.explain(because);
    }

    /** Returns the interrupt of the caller, whatever was raised before it; null if there is none. */
    @Nullable
    InterruptedException callersInterrupt() {
        return callersInterrupt;
    }

    /** Returns why this rank leaves; null if it does not. */
    @Nullable
    Throwable reason() {
        return reason;
    }

    boolean isDecided() {
        return reason != null;
    }

    /** Decides to leave if there is an alarm; returns whether this rank leaves. */
    boolean heedAlarm(Iteration<?> last) {
        Throwable because = alarm();
        if (because != null) {
            // When all are to leave, the host of the store may be the first to do so.
            if (because instanceof StoreLostException
                    && !voter.votes()
                    && last.outcome() == Outcome.INTERRUPTED
                    && heedRequest(last)) {
                return true;
            }
            decide(because, last);
        }
        return isDecided();
    }

    /**
     * Decides to leave if there is an alarm, or too few agree with what the store has decided, unless this rank can go on with
     * another store; returns whether it leaves.
     *
     * @param agreement of at least half of the voters
     * @param last the iteration that this rank leaves; null before the first
     */
    boolean heedFailureOf(CompletableFuture<?> agreement, @Nullable Iteration<?> last) {
        Throwable failure = agreement.isDone() ? Futures.failureOf(agreement) : alarm();
        if (failure == null) {
            return false;
        }
        decide(Voter.lossBehind(failure), last);
        return isDecided();
    }

    /**
     * Decides to leave on purpose if this process was asked to; call it only where no other rank awaits this one.
     * Returns whether it leaves.
     *
     * @param last the iteration that has been interrupted; null before the first
     */
    boolean heedRequest(@Nullable Iteration<?> last) {
        String why = request.reason();
        if (why != null) {
            decide(LeavingOnPurpose.asAsked(why, when(last)), last);
        }
        return isDecided();
    }

    /** Decides to leave in order to wait, and to join again. */
    void decideToWait(String why, Iteration<?> last) {
        decide(LeavingOnPurpose.toWait(why), last);
    }

    /** Returns whether this process joins again after it has left. */
    boolean comesAgain() {
        return reason instanceof LeavingOnPurpose leaving && leaving.comesAgain();
    }

    private static String when(@Nullable Iteration<?> last) {
        if (last == null) {
            return "before its first iteration";
        }
        return last.safePoint().isReached()
                ? "at safe point " + last.call().safePoints().announced()
                : "with a restart";
    }

    /**
     * Decides to leave, unless already decided: the first reason counts. Notifies the others unless they know. Does nothing
     * if the reason is the loss of the store, and this rank can go on with another.
     *
     * @param last the iteration that this rank leaves; null before the first
     */
    void decide(Throwable because, @Nullable Iteration<?> last) {
        if (reason != null || voter.goesOnAfter(because)) {
            return;
        }
        if (Faults.isNewsToOthers(because) || because instanceof RankDiscardedException) {
            voter.cede();
        }
        reason = explain(because);
        farewell = CompletableFuture.failedFuture(because); // if the following throws, the others do not know
        if (because instanceof RankFencedException && last != null) {
            logWhyDeclaredDead(last.number());
        }
        if (isFromOthers(because) && last != null && last.call().wasInSection(NEWS)) {
            announcements.heldSection();
        }
        if (because instanceof LeavingOnPurpose && last != null) {
            farewell = waker.wakeWhenDone(terminations.leaveOnPurpose(last.number(), interruption(because)));
        } else if (because instanceof RankDiscardedException || because instanceof RankFencedException) {
            farewell = waker.wakeWhenDone(terminations.leaveSilently(interruption(because)));
        } else if (Faults.isNewsToOthers(because)) {
            farewell = waker.wakeWhenDone(terminations.leave(
                    last == null ? RestartStore.BEFORE_FIRST : last.number(), interruption(because)));
        } else if (!voter.votes() || !(because instanceof StoreLostException)) {
            farewell = CompletableFuture.completedFuture(null);
        } // a store that was given up may live, and learns it from the end of the session
        if (last != null) {
            announcements.leaving(last.state(), reason);
        } else if (reason instanceof LeavingOnPurpose) { // which the caller will not learn
            announcements.leavingBeforeFirst(reason);
        }
    }

    /** Returns whether the others may have gone on without this rank before it learned of it. */
    private static boolean isFromOthers(Throwable because) {
        return because instanceof RankFencedException
                || because instanceof SessionExpiredException
                || because instanceof StoreLostException;
    }

    private Interruption interruption(Throwable because) {
        return new Interruption(rank, Faults.kindOfLeaving(because), clock.now(), Faults.textOf(because));
    }

    /** Logs why this rank was declared dead, which was recorded in the same step as its death. */
    @SuppressWarnings("FutureReturnValueIgnored") // without a record there is nothing to log
    private void logWhyDeclaredDead(int k) {
        terminations.ownFaults(k).thenAccept(faults -> faults.forEach(announcements::declaredDead));
    }

    /** Returns whether the others have been notified, as far as possible. */
    boolean isAnnounced() {
        return farewell.isDone();
    }

    /** Returns whether the others need not be notified any more: they were, or this rank does not leave. */
    boolean isKnown() {
        return farewell.isDone() && !farewell.isCompletedExceptionally();
    }
}

package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.protocol.FirstSteps.Beginning;
import dev.resiliency.inprocess.internal.protocol.FirstSteps.FirstStepOf;
import dev.resiliency.inprocess.internal.watch.ProgressWatchdog;
import dev.resiliency.inprocess.internal.watch.Statement;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The first steps of one iteration: rule 16. Says when this rank has made its own; and when it makes no progress, looks
 * whether it waits for a rank that has not. Confined to the monitor thread.
 */
final class FirstStep<R> {
    private final LoopContext<R> context;
    private final Iteration<R> iteration;
    /** Those who joined with this iteration. */
    private final IndexSet joined;
    /** These, and those who joined before and, as far as this rank knows, have made no step since. */
    private final IndexSet newcomers;

    private boolean hasBegun;
    private boolean hasPaused;
    private boolean hasResumed;
    private boolean hasWaited;
    /** Null until this rank has reported its first step, if that is a safe point. */
    private @Nullable CompletableFuture<FirstStepOf> beginning;
    /** The latest safe point of the iterations before; negative if there is none. */
    private final long stepBefore;
    /** Null unless the store is being asked. */
    private @Nullable CompletableFuture<Beginning> look;
    /** The latest judgement; null before the first. */
    private @Nullable FirstStepWait judged;
    /** Since this rank was last found to wait; null if it never was. */
    private @Nullable Stopwatch excused;

    /** Whether others wait for this newcomer; null until it asks, a little before its first step is due. */
    private @Nullable CompletableFuture<Boolean> awaited;

    private Duration nextReport = Duration.ZERO;

    /**
     * Creates the first steps of an iteration.
     *
     * @param joined those who joined with it
     * @param before of the iteration before; null if this is the first
     */
    FirstStep(LoopContext<R> context, Iteration<R> iteration, IndexSet joined, @Nullable FirstStep<R> before) {
        this.context = context;
        this.iteration = iteration;
        this.joined = joined;
        this.stepBefore = before == null ? -1 : before.latest();
        this.newcomers = before == null ? joined : joined.union(before.latecomers());
        if (before != null && !before.hasBegun && before.firstStep() >= 0) {
            before.tellAgent(); // it was too short to be announced
        }
    }

    private long firstStep() {
        return iteration.call().safePoints().first();
    }

    private void tellAgent() {
        context.announcements().began(iteration.number(), stepBefore, firstStep());
    }

    private long latest() {
        long own = iteration.call().safePoints().latest();
        return own < 0 && iteration.state().isActive() ? stepBefore : own; // the others have gone on without a reserve
    }

    private IndexSet latecomers() {
        return judged == null ? IndexSet.empty() : newcomers.intersection(judged.missing());
    }

    /** Returns whether the function of this rank has made a step. */
    boolean isMade() {
        return iteration.call().pings() > 0;
    }

    /** Returns whether this newcomer has made no step in time while others waited for it: not so if nobody says its steps. */
    boolean isMissed() {
        CompletableFuture<Boolean> asked = awaited;
        return !isMade()
                && iteration.since().hasReached(context.timings().firstStepTimeout())
                && asked != null
                && asked.isDone()
                && !asked.isCompletedExceptionally()
                && asked.join();
    }

    /** Says what is news about this rank. Call it after the iteration has lasted for a while, so that no restart waits for it. */
    void announce() {
        int k = iteration.number();
        if (hasBegun || !iteration.state().isActive()) {
            return;
        }
        if (isMade() || iteration.worker().ending() != null) {
            hasBegun = true;
            if (isMade()) {
                context.announcements().recovered(iteration.call().firstPing());
            }
            long first = firstStep();
            if (first < 0) {
                context.firstSteps().announce(k);
                return;
            }
            beginning = context.waker().wakeWhenDone(context.firstSteps().announce(k, first));
            tellAgent();
            return;
        }
        // Whoever waits for others keeps nobody waiting: two ranks would excuse each other for ever.
        boolean waits = iteration.call().isWaitingForPeers();
        boolean isPaused = iteration.call().isHangProtectionPaused() && !waits;
        if (waits
                && !hasWaited
                && iteration
                        .since()
                        .hasReached(
                                ProgressWatchdog.stallTimeout(context.timings().softTimeout()))) {
            hasWaited = true;
            context.firstSteps().announceWait(k);
        }
        if (isPaused && !hasPaused) {
            hasPaused = true;
            context.firstSteps().announcePause(k);
        } else if (hasPaused && !isPaused && !hasResumed) {
            hasResumed = true;
            context.firstSteps().announceResumption(k);
        }
    }

    /** Looks for whom this rank waits, if the watchdog has found that it makes no progress. */
    void step() {
        compareBeginning();
        askWhetherAwaited();
        Thread worker = iteration.worker().thread();
        if (context.supervision().takeStall(worker) && look == null) {
            look = context.waker().wakeWhenDone(context.firstSteps().look(iteration.number()));
        }
        CompletableFuture<Beginning> asked = look;
        if (asked == null || !asked.isDone()) {
            return;
        }
        look = null;
        if (asked.isCompletedExceptionally()) {
            return; // then the soft timeout counts
        }
        FirstStepWait wait = FirstStepWait.of(
                asked.join(),
                newcomers,
                iteration.since().elapsed(),
                context.timings().firstStepTimeout());
        judged = wait;
        if (wait.isExcused()) {
            excused = context.startStopwatch();
            context.supervision().excuse(worker, context.clock().nanoTime());
            report(wait, asked.join().stalled().lowest() == context.identity().rank());
        }
    }

    private void askWhetherAwaited() {
        if (awaited != null || !context.identity().isJoiner() || isMade()) {
            return;
        }
        Duration margin = context.timings().softTimeout().dividedBy(4);
        if (iteration.since().hasReached(context.timings().firstStepTimeout().minus(margin))) {
            awaited = context.waker().wakeWhenDone(context.firstSteps().isAwaited(iteration.number()));
        }
    }

    /** Ranks that begin at different steps do not continue the same training. */
    private void compareBeginning() {
        CompletableFuture<FirstStepOf> asked = beginning;
        if (asked == null || !asked.isDone()) {
            return;
        }
        beginning = null;
        long own = firstStep();
        if (!asked.isCompletedExceptionally() && asked.join().step() != own) {
            FirstStepOf other = asked.join();
            iteration.interrupt(
                    Kind.EXCEPTION,
                    "the ranks begin at different steps: it at %d, and rank %d at %d"
                            .formatted(own, other.rank(), other.step()));
        }
    }

    /** Logs for whom the ranks wait, less and less often; at first only the lowest of those who wait does so. */
    private void report(FirstStepWait wait, boolean isLowest) {
        Duration elapsed = iteration.since().elapsed();
        IndexSet others = wait.awaited().minus(IndexSet.of(context.identity().rank()));
        boolean reports = isLowest || elapsed.compareTo(WaitReport.ALL_ASK) >= 0;
        if (others.isEmpty() || !reports || elapsed.compareTo(nextReport) < 0) {
            return;
        }
        nextReport = elapsed.multipliedBy(2);
        context.announcements()
                .waitsForFirstStep(
                        describe(others) + (wait.hasPaused() ? " and has paused its hang protection" : ""),
                        context.timings().firstStepTimeout());
    }

    private String describe(IndexSet ranks) {
        boolean isOne = ranks.size() == 1;
        boolean areNew = joined.containsAll(ranks);
        long seconds = iteration.since().elapsed().toSeconds();
        return "%s, which %s and %s not made a step"
                .formatted(
                        isOne ? "rank " + ranks.lowest() : "ranks " + ranks,
                        (areNew ? "joined %d s ago" : "began %d s ago").formatted(seconds),
                        isOne ? "has" : "have");
    }

    /**
     * Returns why to interrupt the iteration, as this rank has made no progress for the soft timeout.
     *
     * @param hang what the watchdog has found
     */
    List<Interruption> reasonsOf(Statement hang) {
        FirstStepWait wait = judged;
        Interruption own = iteration.hang(hang);
        boolean hasWaited = excused != null
                && !excused.hasReached(context.timings().softTimeout().multipliedBy(2));
        if (wait == null || own.kind() == Kind.OUT_OF_MEMORY || !hasWaited || wait.isExcused() || !wait.isClear()) {
            return List.of(own);
        }
        int self = context.identity().rank();
        String late = "it has made no step in the first %d s of the iteration, and rank %d, which waits for it, %s"
                .formatted(iteration.since().elapsed().toSeconds(), self, hang.brief());
        return wait.awaited().stream()
                .limit(Announcements.SHOWN)
                .mapToObj(rank -> rank == self ? own : iteration.interruption(rank, Kind.SOFT_TIMEOUT, late))
                .toList();
    }
}

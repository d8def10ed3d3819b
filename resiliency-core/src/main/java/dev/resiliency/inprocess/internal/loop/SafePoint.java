package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.protocol.SafePoints;
import dev.resiliency.inprocess.internal.worker.SafePointGate;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The safe point of one iteration: rule 14. Every active rank learns of it as soon as its function has passed a step;
 * the first active rank publishes it when ranks wait to join, or one is to leave. It is not the leader that does so,
 * which may be a reserve and make no steps. Confined to the monitor thread.
 */
final class SafePoint<R> {
    private final LoopContext<R> context;
    private final Iteration<R> iteration;
    private final SafePointGate gate;
    private final SafePoints store;
    private final StepPace pace = new StepPace();
    /** Null until the function has passed a step, and after the end of the iteration. */
    private SafePoints.@Nullable Watch watch;

    private boolean hasEnded;
    /** Null unless this rank has announced that it leaves. */
    private @Nullable CompletableFuture<?> farewell;
    /** Whether all ranks have to stop. On the first active rank alone, as all of the following. */
    private boolean isWanted;

    private final List<Interruption> reasons = new ArrayList<>();
    /** Null unless the iteration is to be interrupted if not all ranks have stopped in time. */
    private @Nullable Limit limit;
    /** Null until the step is published. */
    private @Nullable CompletableFuture<?> publication;
    /** The step, once it is published. */
    private long published;
    /** Null until the time has passed. */
    private @Nullable CompletableFuture<IndexSet> missing;

    /** The time that is left for all ranks to stop. */
    private record Limit(Stopwatch since, Duration atMost) {
        boolean isReached() {
            return since.hasReached(atMost);
        }
    }

    SafePoint(LoopContext<R> context, Iteration<R> iteration) {
        this.context = context;
        this.iteration = iteration;
        this.gate = iteration.call().safePoints();
        this.store = context.safePoints();
    }

    /** Returns whether this rank alone may publish the step. */
    boolean isPublishedHere() {
        return iteration.state().activeRank() == 0;
    }

    /** Returns whether the function has ended at the safe point. */
    boolean isReached() {
        return gate.hasStopped() && iteration.worker().ending() != null;
    }

    /**
     * Wants all ranks to stop at a safe point; only the first time.
     *
     * @param reason for the restart report
     * @param atMost the time after which the iteration is interrupted if they have not
     */
    void want(Interruption reason, Duration atMost) {
        if (limit == null) {
            isWanted = true;
            reasons.add(reason);
            limit = new Limit(context.startStopwatch(), atMost);
        }
    }

    /** Takes back what was {@linkplain #want wanted}, unless it is published. */
    void withdraw() {
        if (publication == null && limit != null) {
            isWanted = false;
            reasons.clear();
            limit = null;
        }
    }

    /** Does what is due, while the outcome of the iteration is open. */
    void step() {
        if (hasEnded) {
            return;
        }
        if (gate.isUsed() && watch == null) {
            watch = store.watch(iteration.number(), gate::announce);
        }
        if (gate.hasMissed()) {
            iteration.interrupt(
                    Kind.SAFE_POINT_MISSED,
                    "it had passed safe point %d when it learned of it".formatted(gate.announced()));
        }
        announceLeaving();
        if (isPublishedHere()) {
            publish();
            heedLimit();
        }
    }

    private void announceLeaving() {
        String reason = context.leaveRequest().reason();
        if (reason != null && farewell == null) {
            context.announcements()
                    .isToLeave(iteration.state(), reason, context.departure().endsStore());
            farewell = store.announceLeaving(iteration.number(), iteration.interruption(Kind.LEAVING, reason));
        }
    }

    private void publish() {
        if (!gate.isUsed() || iteration.worker().ending() != null) {
            return;
        }
        pace.look(context.clock().nanoTime(), gate.latest());
        context.leavers().watch();
        isWanted |= context.leavers()
                .anyAmong(iteration.members().minus(context.terminated().all()));
        if (isWanted && publication == null && pace.isKnown()) {
            published = gate.latest() + context.margin().of(pace);
            context.announcements().publishesSafePoint(published);
            context.announcements().recorded(iteration.state(), reasons);
            publication = context.waker().wakeWhenDone(store.publish(iteration.number(), published, reasons));
        }
    }

    private void heedLimit() {
        Limit time = limit;
        if (time == null || !time.isReached()) {
            return;
        }
        if (publication == null) {
            if (iteration.worker().ending() != null) {
                return; // as others soon will: the job is about to be complete
            }
            iteration.interrupt(List.of(
                    reasons.get(0),
                    iteration.interruption(
                            Kind.SAFE_POINT_MISSED,
                            "the function has %s within %s s"
                                    .formatted(
                                            gate.isUsed() ? "made no step" : "said no step", seconds(time.atMost())))));
        } else if (missing == null) {
            missing = context.waker().wakeWhenDone(store.missing(iteration.number()));
        } else if (missing.isDone()) {
            interruptForThose(missing, time.atMost());
        }
    }

    private void interruptForThose(CompletableFuture<IndexSet> missing, Duration atMost) {
        boolean isKnown = !missing.isCompletedExceptionally();
        if (isKnown && missing.join().isEmpty()) {
            return; // they came at the last moment, and the outcome is on its way
        }
        iteration.interrupt(
                Kind.SAFE_POINT_MISSED,
                "%s come to safe point %d within %s s"
                        .formatted(
                                isKnown ? WaitReport.named(missing.join()) + " have not" : "not all ranks have",
                                published,
                                seconds(atMost)));
    }

    private static String seconds(Duration duration) {
        return Double.toString(duration.toMillis() / 1e3);
    }

    /** Returns the nanoseconds after which to call {@link #step} at the latest. */
    long untilNextCheck() {
        if (!isPublishedHere() || !isWanted) {
            return Long.MAX_VALUE;
        }
        boolean looks = publication == null && gate.isUsed();
        Limit time = limit;
        return Math.min(
                looks ? StepPace.WINDOW.toNanos() : Long.MAX_VALUE,
                time == null || time.isReached() ? Long.MAX_VALUE : time.since().nanosUntil(time.atMost()));
    }

    /** Ends the wait for the step; call it when the outcome is known or this rank leaves. */
    void end() {
        hasEnded = true;
        if (watch != null) {
            watch.end();
            watch = null;
        }
    }
}

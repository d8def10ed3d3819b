package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.refound.Succession;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.internal.worker.LeavingOnPurpose;
import dev.resiliency.inprocess.internal.worker.UserCode;
import dev.resiliency.inprocess.internal.worker.Worker;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The restart loop of one rank: goes from one {@link Stage} to the next.
 *
 * <p>It never blocks and runs no user code. {@link #step} looks at what has happened and passes through as many stages
 * as it can; whatever it waits for (the store, a worker, an abort action, an alarm) wakes the calling thread. This is
 * the monitor thread, which owns all fields.
 */
public final class RestartLoop<R> {
    /** After this time, a stage does what need not be done at once. */
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private final LoopContext<R> context;
    /** Null until the first step. Written by the monitor thread only. */
    private volatile @Nullable Stage<R> stage;

    private RestartLoop(LoopContext<R> context) {
        this.context = context;
    }

    /**
     * Creates a loop whose first step arrives at the initial barrier, or announces a joiner. So no other rank waits for the function of one
     * whose threads cannot be started.
     *
     * @param succession how this rank goes on when the host of its store is lost; null if the job ends with it
     * @param onIteration receives this rank's part in each iteration before it starts
     */
    public static <R> RestartLoop<R> start(
            Settings settings,
            RestartStore store,
            UserCode<R> userCode,
            Clock clock,
            Waker waker,
            Announcements announcements,
            Probation probation,
            @Nullable Succession succession,
            boolean follows,
            Consumer<State> onIteration) {
        Environment environment = settings.environment();
        int rank = store.identity().rank();
        boolean isHosted = store.member().isHostedByRank(environment.masterAddress(), environment.masterPort());
        StoreHost host = isHosted ? StoreHost.of(store) : StoreHost.none();
        LeaveRequest request = new LeaveRequest(waker);
        Voter voter = new Voter(
                succession,
                follows,
                waker,
                store.member(),
                store.identity().generation().number());
        Departure departure =
                new Departure(store.terminations(), waker, clock, announcements, rank, host, voter, request);
        TerminatedRanks terminated = TerminatedRanks.of(rank, departure, host, waker);
        LoopContext<R> context = new LoopContext<>(
                store,
                new Assignment(settings.rankAssignment(), settings.elasticity().maxRanksOf(environment.worldSize())),
                settings.elasticity(),
                settings.timings(),
                userCode,
                clock,
                waker,
                onIteration,
                announcements,
                departure,
                voter,
                new Supervision(waker),
                terminated,
                new Newcomers(store.leader(), waker::wake),
                new Leavers(store.safePoints(), waker::wake),
                request,
                new SafePointMargin(),
                new BackOff(settings.timings().barrierTimeout()),
                probation,
                new AdmissionPause(clock),
                new LeftThreads());
        if (isHosted) {
            context.member().watchHost(why -> departure.hostEnds(host, why));
        }
        context.member().watchTerminated(terminated);
        voter.takeSeat();
        voter.watch(
                store.identity().isJoiner(),
                () -> departure.raise(host, LeavingOnPurpose.toWait("the job lives on another store, where it joins")));
        return new RestartLoop<>(context);
    }

    /**
     * Proceeds as far as possible.
     *
     * @return the nanoseconds after which it must be called again at the latest, even if nothing wakes the thread
     */
    @SuppressWarnings("CatchingUnchecked") // user code in other languages than Java may throw checked exceptions
    public long step() {
        Stage<R> reached;
        try {
            reached = proceed();
        } catch (Throwable defect) {
            context.userCode().noteOutOfMemory(defect); // first: what follows may fail as well
            reached = leaveBecauseOf(defect);
        }
        long interval = context.timings().monitorThreadInterval().toNanos();
        return Math.min(reached.untilNextCheck(), interval);
    }

    private Stage<R> proceed() {
        Stage<R> current = stage;
        if (current == null) {
            current = context.identity().isJoiner() ? new Joining<>(context) : new Regrouping<>(context, null);
            stage = current;
        }
        for (Stage<R> next = current.next(); next != null; next = current.next()) {
            context.announcements().moved(current.state(), next.state());
            current = next;
            stage = current;
        }
        if (current.since().hasReached(A_WHILE)) {
            context.announcements().flush();
            current.afterAWhile();
        }
        return current;
    }

    /** Whatever fails on this thread must not leave the others waiting for this rank. */
    private Stage<R> leaveBecauseOf(Throwable defect) {
        Stage<R> failed = stage;
        Iteration<R> last = failed == null ? null : failed.iteration();
        try {
            context.departure().decide(Faults.whyItCannotGoOn(defect), last);
        } finally {
            if (failed != null) {
                failed.abandon();
            }
        }
        Stage<R> next = failed instanceof Leaving ? new Closed<>(context, last) : Leaving.withoutHook(context, last);
        stage = next;
        return next;
    }

    public LoopState state() {
        Stage<R> current = stage;
        return current == null ? LoopState.FOUNDING : current.state();
    }

    /**
     * Returns whether the others need not be notified of the end of this rank: it has completed with them, or the store
     * has confirmed that it leaves, or has ended its session. From any thread, once the loop is no longer stepped.
     */
    public boolean isEndKnown() {
        return state() == LoopState.CLOSED && context.departure().isKnown() && !isLeftBehind();
    }

    /**
     * Returns the iteration that this rank is in, or was in when it left; {@link RestartStore#BEFORE_FIRST} before the
     * first. From any thread, once the loop is no longer stepped.
     */
    public int iteration() {
        Iteration<R> last = lastIteration();
        return last == null ? RestartStore.BEFORE_FIRST : last.number();
    }

    private @Nullable Iteration<R> lastIteration() {
        Stage<R> current = stage;
        return current == null ? null : current.iteration();
    }

    /** Returns the function's result, once the loop is closed; null on an inactive rank, and on one that left. */
    @Nullable
    public R result() {
        Iteration<R> last = lastIteration();
        Worker.Ending<R> ending = last == null ? null : last.worker().ending();
        return context.departure().isDecided() || ending == null ? null : ending.result();
    }

    /**
     * Returns whether this process is no member of the job and may come again: all members of its generation have died
     * or left before it was admitted, or the others have begun without it.
     */
    public boolean comesAgain() {
        return stage instanceof Closed<R> closed && closed.comesAgain();
    }

    /** Returns whether the store is lost, and this process comes again where its agent says that the job goes on. */
    public boolean isLeftBehind() {
        return comesAgain() && context.voter().isLeftBehind();
    }

    /** Returns where it may come again: on the store of one of these; empty for where it was. */
    public List<StoreSeat> elsewhere() {
        return context.voter().elsewhere();
    }

    /** Returns why this rank left; null if it has not. */
    @Nullable
    public Throwable departure() {
        return context.departure().reason();
    }

    /**
     * Asks this rank to leave on purpose, at the next safe point or with the next restart; the first reason counts.
     * From any thread.
     */
    public void leave(String reason) {
        context.leaveRequest().make(reason);
    }

    /** Makes this rank leave; the first reason counts. From any thread. */
    public void raise(Throwable reason) {
        context.departure().raise(reason);
    }

    /** Returns the supervision that connects this loop with the watchdog. */
    public Supervision supervision() {
        return context.supervision();
    }
}

package dev.resiliency.inprocess.internal.loop;

import static java.util.Objects.requireNonNull;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Mode;
import dev.resiliency.inprocess.RankDiscardedException;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorkerStuckException;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.protocol.Decision;
import dev.resiliency.inprocess.internal.protocol.Outcome;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.protocol.RestartStore.Regrouped;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.settings.Timings;
import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import dev.resiliency.inprocess.internal.worker.Termination;
import dev.resiliency.inprocess.internal.worker.UserCode;
import dev.resiliency.inprocess.internal.worker.Worker;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The restart loop of one rank, as a state machine: {@link LoopState} has its states and what may follow each.
 *
 * <p>It never blocks and runs no user code. {@link #step} looks at what has happened and goes through as many states as
 * it can; whatever it waits for (the store, a worker, an abort action, an alarm) wakes the thread that calls it. That is
 * the monitor thread, and all fields belong to it but for those that say otherwise.
 */
public final class RestartLoop<R> {
    private static final Logger LOG = LoggerFactory.getLogger(RestartLoop.class);

    /** How long a rank that leaves waits for its hooks, and for the store to hear of it. */
    private static final Duration LEAVING_LIMIT = Duration.ofSeconds(5);

    /** How long a state may last until what need not be done at once is done. */
    private static final Duration QUIET_LIMIT = Duration.ofSeconds(1);

    /** From when on a rank that waits for the others expects an answer within what is left of the barrier's limit. */
    private static final Duration LONG_WAIT = Duration.ofSeconds(10);

    private final Environment environment;
    private final RankAssignment rankAssignment;
    private final Timings timings;
    private final RestartStore store;
    private final UserCode<R> userCode;
    private final Clock clock;
    private final Waker waker;
    private final LogPrefix prefix;
    private final IntConsumer onIteration;
    private final Announcements announcements;
    private final Departure departure;
    private final Supervision supervision;
    private final HookRun<R> hook;
    private final TerminatedRanks terminated = new TerminatedRanks(this::terminatedGrew);

    private LoopState state = LoopState.JOINING;
    private long enteredAt;
    private @Nullable NextIteration upcoming; // once it is asked about, until this rank goes there
    private @Nullable Regrouping regrouping;
    private @Nullable Iteration<R> iteration;
    private @Nullable OutcomeRegister previousOutcome; // of the iteration before this one
    private @Nullable RestartTimer timer;
    private @Nullable Termination termination;
    private @Nullable CompletableFuture<?> parting;
    /** How often this rank itself has failed. */
    private int faults;

    /** {@code onIteration} hears the number of each iteration before it starts. */
    public RestartLoop(
            Settings settings,
            RestartStore store,
            UserCode<R> userCode,
            Clock clock,
            Waker waker,
            Announcements announcements,
            IntConsumer onIteration) {
        this.environment = settings.environment();
        this.rankAssignment = settings.rankAssignment();
        this.timings = settings.timings();
        this.store = store;
        this.userCode = userCode;
        this.clock = clock;
        this.waker = waker;
        this.announcements = announcements;
        this.prefix = announcements.prefix();
        this.onIteration = onIteration;
        this.departure = new Departure(store, waker, clock, environment.rank());
        this.supervision = new Supervision(waker);
        this.hook = new HookRun<>(supervision);
    }

    /** Goes to the initial barrier. To be called once, before the first step. */
    public void start() {
        enteredAt = clock.nanoTime();
        store.watchTerminated(terminated);
        regrouping = regroup(0);
    }

    /**
     * Goes on as far as it can.
     *
     * @return after how many nanoseconds it must be called again at the latest, even if nothing wakes it
     */
    @SuppressWarnings("CatchingUnchecked") // user code in other languages than Java may throw checked exceptions
    public long step() {
        try {
            for (LoopState next = next(); next != null; next = next()) {
                enter(next);
            }
            if (hasLasted(QUIET_LIMIT)) {
                announcements.flush();
                askAhead();
            }
        } catch (Throwable defect) {
            leaveBecauseOf(defect);
        }
        return untilNextLook();
    }

    /** A defect of this class must not leave the others waiting for this rank. No hook runs: it is unknown what still does. */
    private void leaveBecauseOf(Throwable defect) {
        depart(new ResiliencyException("the restart loop failed; this is a defect of the library", defect));
        if (iteration != null) {
            iteration.worker().interrupt();
        }
        hook.stop();
        hook.begin(null);
        state = state == LoopState.LEAVING ? LoopState.CLOSED : LoopState.LEAVING;
        enteredAt = clock.nanoTime();
    }

    public LoopState state() {
        return state;
    }

    /** What the function returned, once the loop is closed; null on an inactive rank, and on one that left. */
    @Nullable
    public R result() {
        Worker.Ending<R> ending = iteration == null ? null : iteration.worker().ending();
        return departure.isDecided() || ending == null ? null : ending.result();
    }

    /** Why this rank left; null if it has not. */
    @Nullable
    public Throwable departure() {
        return departure.reason();
    }

    /** Makes this rank leave, for the first reason that is given. From any thread. */
    public void raise(Throwable reason) {
        departure.raise(reason);
    }

    /** What the watchdog looks at, and where it reports to. */
    public Supervision supervision() {
        return supervision;
    }

    private @Nullable LoopState next() {
        return switch (state) {
            case JOINING, REGROUPING -> afterRegrouping();
            case RUNNING -> afterRunning();
            case AWAITING -> afterAwaiting();
            case LAST_CALL -> afterLastCall();
            case ABORTING -> afterAborting();
            case STOPPING -> afterStopping();
            case FINALIZING -> afterHook(LoopState.CHECKING_HEALTH);
            case CHECKING_HEALTH -> afterHook(LoopState.REGROUPING);
            case FINISHING -> afterFinishing();
            case PARTING -> afterParting();
            case LEAVING -> afterLeaving();
            case CLOSED -> null;
        };
    }

    private void enter(LoopState next) {
        if (!state.following().contains(next)) {
            throw new IllegalStateException(state + " may not be followed by " + next);
        }
        LOG.debug("{} {} -> {}", prefix, state, next);
        long now = clock.nanoTime();
        endPhase(state.phase(), now);
        state = next;
        enteredAt = now;
        switch (next) {
            case LAST_CALL -> {
                timer = new RestartTimer(now);
                current().ended("INTERRUPTED");
            }
            case ABORTING -> {
                termination = terminate(current(), now);
                current().ended("LEFT");
            }
            case FINALIZING ->
                hook.begin(userCode.startFinalize(current().state().withFaults(faults)));
            case CHECKING_HEALTH ->
                hook.begin(userCode.startHealthCheck(current().state().withFaults(faults)));
            case REGROUPING -> regrouping = regroup(current().number() + 1);
            case FINISHING -> {
                current().ended("COMPLETED");
                announcements.completed(current().state());
                hook.begin(userCode.startCompletion(current().state()));
            }
            case PARTING -> parting = waker.wakeWhenDone(store.part(timings.barrierTimeout()));
            case LEAVING -> hook.begin(iteration == null ? null : userCode.startTerminate(iteration.state()));
            case JOINING, RUNNING, AWAITING, STOPPING, CLOSED -> {}
        }
    }

    private void endPhase(@Nullable Phase phase, long now) {
        if (timer != null && phase != null) {
            timer.end(phase, now);
        }
    }

    /** Asks about the next iteration while this one goes on, so that there is less to ask in a restart. */
    private void askAhead() {
        boolean isInIteration = state == LoopState.RUNNING || state == LoopState.AWAITING;
        if (isInIteration && upcoming == null && store.answersLate()) {
            upcoming = ask(current().number() + 1);
        }
    }

    private NextIteration ask(int k) {
        return NextIteration.ask(store, k, previousOutcome, waker);
    }

    private Regrouping regroup(int k) {
        NextIteration asked = upcoming == null ? ask(k) : upcoming.askedAgainIfFailed(store, previousOutcome, waker);
        upcoming = null;
        return new Regrouping(store, rankAssignment, asked, timings.barrierTimeout(), waker, announcements);
    }

    private @Nullable LoopState afterRegrouping() {
        Regrouping regrouping = requireNonNull(this.regrouping);
        try {
            // In this order: a discarded rank hears of that, and a moment later that it is among the terminated. If
            // the latter is the alarm that is read here, the result is there.
            Throwable alarm = departure.alarm();
            Regrouped regrouped = regrouping.result();
            if (regrouped != null && regrouped.decision() instanceof Decision.Placed placed) {
                begin(placed, regrouping.outcome(), regrouped.interruptions());
                return LoopState.RUNNING;
            }
            if (regrouped != null && regrouped.decision() instanceof Decision.Discarded discarded) {
                throw new RankDiscardedException(environment.rank(), discarded.iteration(), discarded.reason());
            }
            if (alarm != null) {
                depart(alarm);
                return LoopState.LEAVING;
            }
            if (untilLongWait() <= 0) {
                regrouping.limit(Duration.ofNanos(Math.max(0, untilLasted(timings.barrierTimeout()))));
            }
            regrouping.leadIfLowest(environment.rank(), environment.worldSize(), terminated.all());
            if (regrouping.isDecisionDue()) {
                endPhase(Phase.BARRIER, clock.nanoTime());
                regrouping.decide();
            }
            return null;
        } catch (RuntimeException e) {
            depart(e);
            return LoopState.LEAVING;
        }
    }

    /** Starts the worker first and tells of it afterwards: logs and listeners would be part of every restart. */
    private void begin(Decision.Placed placed, OutcomeRegister outcome, List<Interruption> interruptions) {
        endPhase(requireNonNull(regrouping).hasDecided() ? Phase.ASSIGN : Phase.BARRIER, clock.nanoTime());
        State next = placed.state().withFaults(faults);
        onIteration.accept(next.iteration());
        IterationCall call = new IterationCall(next, store.userStore(next.iteration()), waker);
        Worker<R> worker = userCode.startIteration(call, announcements.entryOf(next));
        previousOutcome = iteration == null ? null : iteration.outcomeRegister();
        iteration = new Iteration<>(next, placed.terminated(), outcome, call, worker, announcements.eventOf(next));
        supervision.begin(worker.thread(), call);
        if (timer != null) {
            RestartReport report =
                    timer.report(interruptions, requireNonNull(termination).stoppedBy(), next);
            announcements.restarted(report, timer);
            timer = null;
        }
        announcements.iterationStarted(next);
        announcements.roleChanged(placed.change());
    }

    private @Nullable LoopState afterRunning() {
        if (isDeparting()) {
            return LoopState.ABORTING;
        }
        if (current().outcome() == Outcome.INTERRUPTED) {
            return LoopState.LAST_CALL;
        }
        interruptIfRankLost();
        Throwable failure = current().failure();
        if (failure != null) {
            depart(failure); // what this rank had to say does not reach the others
            return LoopState.ABORTING;
        }
        Worker.Ending<R> ending = current().worker().ending();
        if (ending == null) {
            String hang = supervision.hangOf(current().worker().thread());
            if (hang != null) {
                interrupt(Interruption.Kind.SOFT_TIMEOUT, hang);
            }
            return null;
        }
        supervision.end();
        Throwable thrown = ending.thrown();
        if (thrown == null) {
            if (current().state().mode() == Mode.ACTIVE) {
                current().complete(store.complete(current().number(), timings.completionTimeout()), waker);
            }
        } else if (Faults.endsRank(thrown)) {
            depart(thrown);
            return LoopState.ABORTING;
        } else {
            interrupt(Interruption.Kind.EXCEPTION, Faults.textOf(thrown));
            announcements.failed(thrown);
        }
        return LoopState.AWAITING;
    }

    private @Nullable LoopState afterAwaiting() {
        if (isDeparting()) {
            return LoopState.ABORTING;
        }
        Outcome outcome = current().outcome();
        if (outcome != null) {
            current().withdraw();
            return outcome == Outcome.COMPLETED ? LoopState.FINISHING : LoopState.LAST_CALL;
        }
        interruptIfRankLost();
        Throwable failure = current().failure();
        if (failure instanceof BarrierTimeoutException late) {
            interrupt(Interruption.Kind.COMPLETION_TIMEOUT, String.valueOf(late.getMessage()));
        } else if (failure != null) {
            depart(failure);
            return LoopState.ABORTING;
        }
        return null;
    }

    private @Nullable LoopState afterLastCall() {
        Worker.Ending<R> ending = current().worker().ending();
        // What makes this rank leave is told when it does.
        if (ending != null && ending.thrown() != null && !Faults.endsRank(ending.thrown())) {
            interrupt(Interruption.Kind.EXCEPTION, Faults.textOf(ending.thrown()));
        }
        return isDeparting() || hasLasted(timings.lastCallWait()) ? LoopState.ABORTING : null;
    }

    private Termination terminate(Iteration<R> ended, long now) {
        return new Termination(
                ended.call(),
                ended.worker(),
                () -> userCode.startAborts(ended.call(), prefix),
                prefix,
                timings,
                ThreadControl.find(),
                now);
    }

    private @Nullable LoopState afterAborting() {
        isDeparting();
        try {
            return requireNonNull(termination).isAborted(clock.nanoTime()) ? LoopState.STOPPING : null;
        } catch (WorkerStuckException stuck) {
            depart(stuck);
            return LoopState.LEAVING;
        }
    }

    private @Nullable LoopState afterStopping() {
        isDeparting();
        try {
            if (!requireNonNull(termination).isStopped(clock.nanoTime())) {
                return null;
            }
        } catch (WorkerStuckException stuck) {
            depart(stuck);
            return LoopState.LEAVING;
        }
        supervision.end();
        Throwable thrown = requireNonNull(current().worker().ending()).thrown();
        // A health check that was stopped says nothing about this rank's health; it is run again.
        if (thrown != null && Faults.endsRank(thrown) && !Faults.isVerdictOnHealth(thrown)) {
            depart(thrown);
        }
        return departure.isDecided() ? LoopState.LEAVING : LoopState.FINALIZING;
    }

    private @Nullable LoopState afterHook(LoopState following) {
        Worker.Ending<R> ending = hook.ending();
        if (ending != null && ending.thrown() != null) {
            depart(ending.thrown());
        }
        if (isDeparting()) {
            hook.stop();
            return LoopState.LEAVING;
        }
        return ending == null ? null : following;
    }

    private @Nullable LoopState afterFinishing() {
        Worker.Ending<R> ending = hook.ending();
        if (ending != null && ending.thrown() != null) {
            depart(ending.thrown());
            return LoopState.LEAVING;
        }
        // The job is complete: only its own caller can still make this rank give up, not the loss of the store.
        InterruptedException interrupt = departure.callersInterrupt();
        if (interrupt != null) {
            depart(interrupt);
            hook.stop();
            return LoopState.LEAVING;
        }
        return ending == null ? null : LoopState.PARTING;
    }

    private @Nullable LoopState afterParting() {
        CompletableFuture<?> arrival = requireNonNull(parting);
        if (!arrival.isDone() && departure.alarm() == null) {
            return null;
        }
        if (!arrival.isDone()) {
            LOG.warn("{} completed, but could not wait until all others had", prefix, departure.alarm());
        } else if (arrival.isCompletedExceptionally()) {
            LOG.warn("{} completed, but not all others have", prefix, Iteration.failureOf(arrival));
        }
        return LoopState.CLOSED;
    }

    private @Nullable LoopState afterLeaving() {
        Worker.Ending<R> ending = hook.ending();
        if (!(ending != null && departure.isTold()) && !hasLasted(LEAVING_LIMIT)) {
            return null;
        }
        supervision.end();
        if (ending == null) {
            LOG.warn("{} the terminate hook has not ended after {} and is left behind", prefix, LEAVING_LIMIT);
        } else if (ending.thrown() != null) {
            LOG.warn("{} the terminate hook failed", prefix, ending.thrown());
        }
        return LoopState.CLOSED;
    }

    /** Rule 3 of the protocol: the death of a member interrupts the iteration, whoever notices it. */
    private void interruptIfRankLost() {
        IndexSet lost = terminated.beyond(current().terminatedAtDecision());
        if (!lost.isEmpty() && current().outcome() == null) {
            interrupt(lost.stream()
                    .mapToObj(rank -> record(rank, Interruption.Kind.TERMINATED, "it died or left the job"))
                    .toList());
        }
    }

    private void interrupt(Interruption.Kind kind, String message) {
        boolean isNew = interrupt(List.of(record(environment.rank(), kind, message)));
        // That others do not complete is no fault of this rank.
        if (isNew && kind != Interruption.Kind.COMPLETION_TIMEOUT) {
            faults++;
        }
    }

    /** Returns whether this rank has not done so before. */
    private boolean interrupt(List<Interruption> faults) {
        if (current().hasInterrupted()) {
            return false;
        }
        announcements.recorded(current().state(), faults);
        current().interrupt(store, faults, waker);
        return true;
    }

    private Interruption record(int rank, Interruption.Kind kind, String message) {
        return new Interruption(rank, kind, clock.now(), message);
    }

    /** Called by the store's thread. */
    private void terminatedGrew() {
        if (terminated.all().contains(environment.rank())) {
            raise(new RankFencedException(environment.rank()));
        }
        waker.wake();
    }

    /** Whether this rank leaves: decided before, or now because of an alarm. */
    private boolean isDeparting() {
        Throwable alarm = departure.alarm();
        if (alarm != null) {
            depart(alarm);
        }
        return departure.isDecided();
    }

    /** Decides to leave, unless that is decided: the first reason counts. */
    private void depart(Throwable reason) {
        if (departure.isDecided()) {
            return;
        }
        Iteration<R> last = iteration;
        departure.decide(reason, last == null ? RestartStore.BEFORE_FIRST : last.number());
        if (last != null) {
            last.withdraw();
            announcements.leaving(last.state(), reason);
        }
    }

    private Iteration<R> current() {
        return requireNonNull(iteration);
    }

    private boolean hasLasted(Duration limit) {
        return untilLasted(limit) <= 0;
    }

    private long untilLasted(Duration limit) {
        return enteredAt + limit.toNanos() - clock.nanoTime();
    }

    private long untilLongWait() {
        return Math.min(untilLasted(LONG_WAIT), untilLasted(timings.barrierTimeout()));
    }

    private long untilNextLook() {
        long interval = timings.monitorThreadInterval().toNanos();
        return switch (state) {
            case LAST_CALL -> Math.min(untilLasted(timings.lastCallWait()), interval);
            case STOPPING -> Math.min(Termination.REPEAT.toNanos(), interval);
            case JOINING, REGROUPING ->
                requireNonNull(regrouping).isLimited() ? interval : Math.min(untilLongWait(), interval);
            default -> interval;
        };
    }
}

package dev.resiliency.inprocess;

import dev.resiliency.inprocess.internal.WrapperBuilder;
import dev.resiliency.inprocess.rank.RankAssignment;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Calls a function on every rank of a job, and calls it again on all surviving ranks whenever one of them fails: in the
 * same process, within milliseconds. nvidia-resiliency-ext's {@code inprocess.Wrapper}.
 *
 * <pre>{@code
 * Wrapper wrapper = Wrapper.builder().softTimeout(Duration.ofSeconds(60)).build();
 * Result result = wrapper.call(call -> train(call));
 * }</pre>
 *
 * <p>A wrapper is immutable. It may be called any number of times, even after a call that failed, by one thread of a
 * rank at a time; all ranks must call theirs equally often.
 *
 * @since 0.1.0
 */
public interface Wrapper {

    /** Returns a builder with all defaults. */
    static Builder builder() {
        return new WrapperBuilder();
    }

    /**
     * Calls the function until all active ranks have completed.
     *
     * <p>A process that comes late or again joins the job if it still runs: see {@link Elasticity}. It waits here until
     * it is admitted, however long that takes.
     *
     * @return its result, which may be null. It is also null on a rank that was a reserve in the last iteration and did
     *     not run the function; the state passed to {@link RestartListener#completed} distinguishes the two. And it is
     *     null, without a call of the listener, in a process that waited to join when the job completed, or that came
     *     later; and on a rank that has left on purpose: see {@link Builder#leaveOn}
     * @throws InterruptedException if the calling thread was interrupted: its rank has left the job
     * @throws IllegalStateException if another call with this wrapper's environment is in progress; with
     *     {@link Environment#single()}, if another call of this wrapper is
     * @throws RestartAbort if the function or an initialize hook threw it: the rank has left the job
     * @throws HealthCheckException if the rank has left because a health check or a finalize hook failed
     * @throws RankDiscardedException if the rank assignment has left the rank out
     * @throws RankFencedException if the others have declared the rank dead, or this process does not fit the job: it has
     *     another world size or version, or comes late or again although {@link Elasticity.Admission#never} is set
     * @throws TooFewRanksException if the job has ended because too few ranks were left, and too few came
     * @throws WorkerStuckException if the function could not be stopped
     * @throws MonitorProcessException if the monitor process could not be started or has died
     * @throws ResiliencyException if the rank assignment or one of its keys failed, or a completion hook threw a checked
     *     exception; other exceptions of the hook reach the caller unchanged, and so do those of the function if the
     *     wrapper is not enabled
     * @throws VirtualMachineError if the function or a hook threw it, except for a stack overflow: the rank has left the
     *     job
     * @throws dev.resiliency.store.StoreException if the ranks could not coordinate: the store was lost, or a barrier
     *     timed out
     */
    <R> @Nullable R call(RestartableFunction<R> function) throws InterruptedException;

    /**
     * Calls the callable, into which the {@link CallWrapper} is injected if it has a place with {@link InjectCallWrapper}.
     *
     * <p>A callable without one, such as {@code () -> train()}, is restarted as well, but goes without what a {@link
     * CallWrapper} offers: it has no abort action, so only an interrupt or, later, {@link RestartSignal} from outside
     * unblocks it; no {@code ping()}, so only the automatic heartbeat reveals that it hangs; no atomic section, so a
     * restart may interrupt it while it writes a checkpoint; and it does not learn its rank, which changes when others
     * are lost.
     *
     * @return as {@link #call(RestartableFunction)}
     * @throws IllegalArgumentException if the class of the callable has several places for the injection, or an
     *     unsuitable one; names the class
     */
    <R> @Nullable R call(Callable<R> callable) throws InterruptedException;

    /** Returns a callable that does {@link #call(RestartableFunction)}. */
    <R> Callable<@Nullable R> wrap(RestartableFunction<R> function);

    /**
     * Returns a callable that does {@link #call(Callable)}.
     *
     * @throws IllegalArgumentException if the class of the callable has several places for the injection, or an
     *     unsuitable one; names the class
     */
    <R> Callable<@Nullable R> wrap(Callable<R> callable);

    /**
     * Collects the settings of a {@link Wrapper}. Each has a default that suits a job of some hundred ranks; the names
     * are nvidia-resiliency-ext's. If a setting is made twice, the last value counts, except that a hook or listener is
     * never replaced silently: setting it again throws {@link IllegalStateException}. All methods throw {@link
     * NullPointerException} if the value is null; the message names the setting. Not safe for use by several threads.
     *
     * @since 0.1.0
     */
    interface Builder {

        /**
         * Sets the identity of this process in its job. {@link Environment#fromVariables()} by default, read by {@link
         * #build}.
         */
        Builder environment(Environment value);

        /**
         * Sets the store through which the ranks coordinate. By default rank 0 hosts it, unless {@code RESILIENCY_STORE} names
         * another, and the others wait 60 s for it.
         */
        Builder store(StoreFactory value);

        /**
         * Sets which ranks continue after a fault, and in which roles. By default all surviving ranks, in their order:
         * {@link RankAssignment#activateAllRanks} after {@link RankAssignment#shiftRanks}.
         *
         * @throws IllegalArgumentException if the assignment is incomplete and would leave lost ranks in place
         */
        Builder rankAssignment(RankAssignment value);

        /**
         * Sets when processes that come late or again join the job, and how small it may get. {@link
         * Elasticity#defaults()} by default.
         */
        Builder elasticity(Elasticity value);

        /**
         * Lets this rank leave on purpose when its process receives a signal, instead of dying of it: at the next
         * {@linkplain CallWrapper#step safe point}, or with the next restart if that comes first. The others go on
         * without it, and {@link Wrapper#call} returns null. A second signal, or the end of the grace, ends the rank at
         * once: it leaves as if its caller had been interrupted, and the process exits with 128 plus the number of the
         * signal. So it does if the function says no step.
         *
         * <p>May be set for several signals. The signal is handled while a call lasts, and then as before; a process
         * that ignores the signal since its start, as under {@code nohup}, keeps ignoring it, and a warning says so.
         * None by default: a library takes over no signals unasked.
         *
         * @param signal its name, such as {@code TERM}
         * @param grace from the first signal on; shorter than the time after which the sender kills the process
         * @throws IllegalArgumentException if the system knows no such signal, or the grace is negative or longer than
         *     36,500 days
         */
        Builder leaveOn(String signal, Duration grace);

        /**
         * Sets the hook that prepares this process before its first call of the function, once for this wrapper: in a
         * process that joins, before the others learn of it. None by default.
         *
         * @throws IllegalStateException if it was set before: join hooks by {@link Prepare#andThen}
         */
        Builder prepare(Prepare value);

        /**
         * Sets the hook that runs at the start of every iteration. None by default, so the number of restarts is
         * unlimited.
         *
         * @throws IllegalStateException if it was set before: join hooks by {@link Initialize#andThen}
         */
        Builder initialize(Initialize value);

        /**
         * Sets the hook that unblocks the function when its iteration must end, in addition to the actions that the
         * function registers. None by default.
         *
         * @throws IllegalStateException if it was set before: join hooks by {@link Abort#andThen}
         */
        Builder abort(Abort value);

        /**
         * Sets the hook that cleans up between two iterations. None by default.
         *
         * @throws IllegalStateException if it was set before: join hooks by {@link Finalize#andThen}
         */
        Builder finalize(Finalize value);

        /**
         * Sets the hook that decides, before each call and after each fault, whether this rank can continue. None by
         * default.
         *
         * @throws IllegalStateException if it was set before: join hooks by {@link HealthCheck#andThen}
         */
        Builder healthCheck(HealthCheck value);

        /**
         * Sets the hook that runs when all active ranks have completed. None by default.
         *
         * @throws IllegalStateException if it was set before: join hooks by {@link Completion#andThen}
         */
        Builder completion(Completion value);

        /**
         * Sets the hook that runs when this rank leaves before the end. None by default.
         *
         * @throws IllegalStateException if it was set before: join hooks by {@link Terminate#andThen}
         */
        Builder terminate(Terminate value);

        /**
         * Sets the listener to what happens on this rank. None by default.
         *
         * @throws IllegalStateException if it was set before: one listener can call others
         */
        Builder listener(RestartListener value);

        /** Sets how often the monitor thread checks the job even if nothing wakes it. 1 s by default. */
        Builder monitorThreadInterval(Duration value);

        /**
         * Sets how often the monitor process reads the heartbeats of its rank, and checks whether its lease is due for
         * renewal. 1 s by default.
         */
        Builder monitorProcessInterval(Duration value);

        /**
         * Sets how often the monitor process renews its rank's lease in the store. A third of {@link #heartbeatTimeout} by
         * default: 10 s.
         */
        Builder heartbeatInterval(Duration value);

        /** Sets how often the progress of the function is measured. 1 s by default. */
        Builder progressWatchdogInterval(Duration value);

        /**
         * Sets after how long without progress the function counts as hung and all ranks restart. 60 s by default; detected up to
         * one {@link #progressWatchdogInterval} later.
         */
        Builder softTimeout(Duration value);

        /**
         * Sets after how long without progress the monitor process ends this process. It is also how long a restart waits for
         * {@linkplain CallWrapper#atomic atomic sections} to end, and then for the function; after that, the rank leaves with
         * {@link WorkerStuckException}. 90 s by default; must exceed the soft timeout.
         */
        Builder hardTimeout(Duration value);

        /**
         * Sets how long the active ranks may take, from the beginning of an iteration, until all of them have made a
         * first step: a {@link CallWrapper#ping ping}, or a safe point. Until then no rank counts as hung, as it may wait
         * for one that still loads its data. A rank that has {@linkplain CallWrapper#disableHangProtection paused} its
         * hang protection before its first step is awaited for longer, until it resumes it. Five times {@link #softTimeout}
         * by default: 300 s.
         */
        Builder firstStepTimeout(Duration value);

        /**
         * Sets after how long without a heartbeat from its host a rank counts as lost; up to one {@link
         * #heartbeatInterval} more may pass. An outage of the network that is a few seconds shorter costs no rank. 30 s by
         * default; must exceed {@link #heartbeatInterval} and {@link #monitorProcessInterval} together, as a heartbeat can
         * be late by the latter.
         */
        Builder heartbeatTimeout(Duration value);

        /**
         * Sets how long the ranks wait for each other in each restart and at the end; at the start only with {@link
         * Elasticity.Admission#never()}, and otherwise {@link Elasticity#rendezvousTimeout} counts there. 120 s by default; must
         * exceed the hard timeout, so that a rank which hangs is gone before the others give up.
         */
        Builder barrierTimeout(Duration value);

        /**
         * Sets how long a rank whose function has returned waits for the others before it restarts all ranks. 120 s by default.
         */
        Builder completionTimeout(Duration value);

        /** Sets how long after a fault others are recorded as part of the same restart. 10 ms by default. */
        Builder lastCallWait(Duration value);

        /** Sets how long a process that hangs may take to end itself before it is killed. 5 s by default. */
        Builder terminationGraceTime(Duration value);

        /**
         * Sets after how long a function that does not end is reported, with its stack, and, with JNA on the class path, stopped
         * from outside. 5 s by default.
         */
        Builder asyncStopDelay(Duration value);

        /**
         * Sets whether another process watches this one: the agent that has started it, otherwise a child. True by default.
         * Without it, a hang that cannot be interrupted and the loss of the host go undetected; for tests and simulations in
         * which several ranks live in one process.
         */
        Builder monitorProcess(boolean value);

        /**
         * Sets the file to which the monitor process appends its log; {@code {rank}} stands for the initial rank. None by
         * default.
         */
        Builder monitorProcessLogFile(String value);

        /**
         * Sets the file in which the monitor process keeps its process id while it runs; {@code {rank}} stands for the initial
         * rank. None by default. With it, the monitor process is a child also under an agent.
         */
        Builder monitorProcessPidFile(String value);

        /**
         * Sets whether this process runs restarts of an internal job before its first iteration, for up to 1 s, and
         * then in the background, and loses a store there. Without this, the first restart is slower, as it loads and
         * compiles the code of the wrapper. By default, and at most, with several ranks and a monitor process.
         */
        Builder warmUp(boolean value);

        /**
         * Sets whether the job outlives the rank that hosts its store: when that is lost, the others found the store anew, on one
         * of them, and restart. For that more than half of the ranks of the last world must be there; one whose process has
         * died is, while its monitor process lives. True by default; must be the same on all ranks. Without effect on a
         * standalone store, with one rank, without {@linkplain #monitorProcess monitor processes}, and before the first
         * iteration: there the job ends with its store.
         */
        Builder refound(boolean value);

        /**
         * Sets the number under which the ranks of the job meet in {@link Wrapper#call}, from 0 on, for callers that live longer
         * than a job: executors, servers, notebooks. By default each process counts its calls, so that a call that failed and is
         * made again in the same process is the next one. With the number of the call that failed, it joins the job of that
         * call, which the others have gone on with; and if they have completed it meanwhile, it throws {@link JobCompleteException},
         * where a counted call returns null. Give each job an {@linkplain Environment#jobId id} of its own then. Where
         * rank 0 hosts the store, rank 0 cannot come again while its process lives.
         *
         * @throws IllegalArgumentException if it is negative
         */
        Builder callNumber(int value);

        /**
         * Sets what wraps each thread that runs user code of this wrapper, except abort actions and listeners: the function, and the
         * hooks around it. For what belongs to a thread and is not inherited, such as the context of a task, a class loader or the
         * fields of a log. It must run what it is given, once, on the thread that calls it; what it throws before fails the step.
         *
         * <pre>{@code
         * Map<String, String> fields = MDC.getCopyOfContextMap();
         * Wrapper.builder().decorateThread(step -> () -> {
         *     MDC.setContextMap(fields);
         *     step.run();
         * });
         * }</pre>
         *
         * @throws IllegalStateException if it is set twice
         */
        Builder decorateThread(UnaryOperator<Runnable> value);

        /** Sets whether faults are handled at all: false calls the function once, without any protection. True by default. */
        Builder enabled(boolean value);

        /**
         * Checks the settings and returns the wrapper.
         *
         * @throws IllegalArgumentException if one contradicts another, or a variable of the environment is wrong; names
         *     both settings and both values
         */
        Wrapper build();
    }
}

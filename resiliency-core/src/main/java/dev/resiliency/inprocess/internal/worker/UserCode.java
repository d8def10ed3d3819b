package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.Abort;
import dev.resiliency.inprocess.CallWrapper.Abortable;
import dev.resiliency.inprocess.Completion;
import dev.resiliency.inprocess.Finalize;
import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.HealthCheckException;
import dev.resiliency.inprocess.Initialize;
import dev.resiliency.inprocess.Prepare;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.Terminate;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.jfr.EntryEvent;
import dev.resiliency.inprocess.internal.settings.Hooks;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The user code that the restart loop runs: each step on its own thread, named after rank and iteration.
 *
 * <p>Threads of initial rank 3 in iteration 2, in the group {@code resiliency-r3}: {@code resiliency-worker-r3-i2}, which
 * runs the initialize hooks, the health check and the function, and ends with the iteration; {@code
 * resiliency-prepare-r3}, {@code resiliency-finalize-r3-i2}, {@code -health-check-}, {@code -completion-} and {@code
 * -terminate-}, which run these hooks, and end when they return.
 */
public final class UserCode<R> {
    private final Hooks hooks;
    private final RestartableFunction<R> function;
    private final int rank;
    private final Runnable wake;
    private final Consumer<Boolean> onOutOfMemory;
    private final KeptObjects kept;
    /** Those of all calls of the function. */
    private final FunctionThreads threads;

    /**
     * Creates user code.
     *
     * @param wake called when a step has ended, or the function has begun
     * @param onOutOfMemory receives whether a thread has died as memory ran out; may allocate nothing
     * @param kept what the function keeps from iteration to iteration
     */
    public UserCode(
            Hooks hooks,
            RestartableFunction<R> function,
            int rank,
            Runnable wake,
            Consumer<Boolean> onOutOfMemory,
            KeptObjects kept) {
        this.hooks = hooks;
        this.function = function;
        this.rank = rank;
        this.wake = wake;
        this.onOutOfMemory = onOutOfMemory;
        this.kept = kept;
        this.threads = new FunctionThreads("resiliency-r" + rank, onOutOfMemory);
    }

    /** Returns the names of the threads that the function has started and that live, once its own has ended. */
    public List<String> leftThreads() {
        return threads.names();
    }

    /** Returns which thread of the function has died as memory ran out since the iteration began; null if none has. */
    public @Nullable String outOfMemory() {
        return threads.outOfMemory();
    }

    /** Returns what the function keeps from iteration to iteration. */
    public KeptObjects kept() {
        return kept;
    }

    /**
     * Starts an iteration: initialize hooks, health check, and the function if this rank is active.
     *
     * @param entry the flight recorder's event that ends with the call of the function; null if it is not to be recorded
     */
    public Worker<R> startIteration(IterationCall call, @Nullable EntryEvent entry) {
        State state = call.state();
        threads.reset();
        return Worker.start(
                threads,
                threadName("worker", state),
                hooks.decorator(),
                () -> {
                    prepare();
                    call.begin("initialize hook");
                    Initialize initialize = hooks.initialize();
                    if (initialize != null) {
                        initialize.initialize(state);
                    }
                    call.begin("health check");
                    checkHealth(state);
                    if (!state.isActive()) {
                        return null;
                    }
                    if (entry != null) {
                        entry.commitNow();
                    }
                    call.begin(IterationCall.FUNCTION);
                    wake.run();
                    return callFunction(call);
                },
                wake);
    }

    private @Nullable R callFunction(IterationCall call) throws Exception {
        try {
            return function.call(call);
        } catch (OutOfMemoryError full) {
            noteOutOfMemory(full);
            throw full;
        }
    }

    /** Notes a lack of memory: a rank without may be unable to say anything else, and its agent reads this much. From any thread. */
    public void noteOutOfMemory(Throwable thrown) {
        if (thrown instanceof OutOfMemoryError) {
            onOutOfMemory.accept(true);
        }
    }

    /** Starts the prepare hook of a process that joins; null if there is none, or it has run. */
    public @Nullable Worker<R> startPrepare() {
        return hooks.prepare() == null || (hooks.prepare() instanceof OncePrepared once && once.isDone())
                ? null
                : Worker.start(
                        null,
                        "resiliency-prepare-r" + rank,
                        hooks.decorator(),
                        () -> {
                            prepare();
                            return null;
                        },
                        wake);
    }

    private void prepare() throws Exception {
        Prepare prepare = hooks.prepare();
        if (prepare == null) {
            return;
        }
        try {
            prepare.prepare();
        } catch (InterruptedException | RestartSignal stopped) {
            throw stopped; // it runs again
        } catch (RestartAbort | VirtualMachineError fatal) {
            throw fatal;
        } catch (Exception | Error e) {
            throw new HealthCheckException("the prepare hook failed, so this rank leaves: " + e, e);
        }
    }

    /** Starts the finalize hooks, which run between two iterations; null if there are none. */
    @Nullable
    public Worker<R> startFinalize(State state) {
        Finalize finish = hooks.finish();
        return finish == null
                ? null
                : start("finalize", state, () -> {
                    try {
                        finish.finish(state);
                    } catch (RestartAbort | VirtualMachineError fatal) {
                        throw fatal;
                    } catch (Exception | Error e) {
                        throw new HealthCheckException(failed("finalize hook", state, e), e);
                    }
                    return null;
                });
    }

    /** Starts the health check between two iterations; null if there is none. */
    @Nullable
    public Worker<R> startHealthCheck(State state) {
        return hooks.healthCheck() == null
                ? null
                : start("health-check", state, () -> {
                    checkHealth(state);
                    return null;
                });
    }

    /** Starts the completion hook; null if there is none. */
    @Nullable
    public Worker<R> startCompletion(State state) {
        Completion completion = hooks.completion();
        return completion == null
                ? null
                : start("completion", state, () -> {
                    completion.completed(state);
                    return null;
                });
    }

    /** Starts the terminate hook; null if there is none. */
    @Nullable
    public Worker<R> startTerminate(State state) {
        Terminate terminate = hooks.terminate();
        return terminate == null
                ? null
                : start("terminate", state, () -> {
                    terminate.terminated(state);
                    return null;
                });
    }

    /**
     * Starts the actions that unblock the worker of an iteration: the abort hook, and those that the function
     * registered, newest first.
     */
    public AbortChain startAborts(IterationCall call, LogPrefix prefix, Clock clock) {
        List<Abortable> actions = new ArrayList<>();
        Abort abort = hooks.abort();
        if (abort != null) {
            actions.add(() -> abort.abort(call.state()));
        }
        actions.addAll(call.takeAbortables());
        return AbortChain.start(prefix, threadName("abort", call.state()), actions, clock, wake);
    }

    private void checkHealth(State state) throws Exception {
        HealthCheck healthCheck = hooks.healthCheck();
        if (healthCheck == null) {
            return;
        }
        try {
            healthCheck.check(state);
        } catch (InterruptedException | RestartSignal stopped) {
            throw stopped; // not a verdict on the health of this rank
        } catch (RestartAbort | VirtualMachineError fatal) {
            throw fatal;
        } catch (Exception | Error e) { // such as a GPU library that cannot be linked
            throw new HealthCheckException(failed("health check", state, e), e);
        }
    }

    private static String failed(String step, State state, Throwable e) {
        return "the %s failed on rank %d in iteration %d, so the rank leaves: %s"
                .formatted(step, state.initialRank(), state.iteration(), e);
    }

    private Worker<R> start(String step, State state, Callable<@Nullable R> code) {
        return Worker.start(null, threadName(step, state), hooks.decorator(), code, wake);
    }

    private String threadName(String step, State state) {
        return "resiliency-" + step + "-r" + rank + "-i" + state.iteration();
    }
}

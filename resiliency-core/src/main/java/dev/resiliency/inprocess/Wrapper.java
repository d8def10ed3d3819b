package dev.resiliency.inprocess;

import dev.resiliency.inprocess.internal.CallSlot;
import dev.resiliency.inprocess.internal.Job;
import dev.resiliency.inprocess.internal.PlainCall;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.worker.CallWrapperInjection;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Calls a function on every rank of a job, and calls it again, on all ranks that live, whenever one of them fails: in
 * the same process, within milliseconds. The guide's {@code inprocess.Wrapper}.
 *
 * <pre>{@code
 * Wrapper wrapper = Wrapper.builder().softTimeout(Duration.ofSeconds(60)).build();
 * Result result = wrapper.call(call -> train(call));
 * }</pre>
 *
 * <p>A wrapper is immutable, and may be called any number of times, also after a call that failed, by one thread of a
 * rank at a time; all ranks call theirs equally often.
 */
public final class Wrapper {
    private final Settings settings;
    private final boolean enabled;

    Wrapper(Settings settings, boolean enabled) {
        this.settings = settings;
        this.enabled = enabled;
    }

    /** A builder with all defaults. */
    public static WrapperBuilder builder() {
        return new WrapperBuilder();
    }

    /**
     * Calls the function until all active ranks have completed.
     *
     * @return what it returned; null on a reserve
     * @throws InterruptedException if the calling thread was interrupted: its rank has left the job
     * @throws RestartAbort if the function or an initialize hook threw it: the rank has left the job
     * @throws HealthCheckException if the rank has left because a health check or a finalize hook failed
     * @throws RankDiscardedException if the rank assignment has left the rank out
     * @throws RankFencedException if the others have declared the rank dead
     * @throws WorkerStuckException if the function could not be stopped
     * @throws MonitorProcessException if the monitor process could not be started or has died
     * @throws ResiliencyException if the rank assignment or one of its keys failed, or a completion hook threw a checked
     *     exception; what it throws else reaches the caller as it is, and if the wrapper is not enabled, so does what the
     *     function throws
     * @throws VirtualMachineError if the function or a hook threw it, but for a stack overflow: the rank has left the job
     * @throws IllegalStateException if another call with this wrapper's environment is in progress
     * @throws dev.resiliency.store.StoreException if the ranks could not meet: the store was lost, a barrier timed out
     */
    public <R> @Nullable R call(RestartableFunction<R> function) throws InterruptedException {
        try (CallSlot slot = CallSlot.take(settings.environment())) {
            int call = slot.number();
            return enabled ? new Job<>(settings, function, call).run() : PlainCall.run(settings, function, call);
        }
    }

    /**
     * Calls the callable, into which the {@link CallWrapper} is injected: see {@link InjectCallWrapper}.
     *
     * @throws IllegalArgumentException if the class of the callable has no place for the injection; it names the class
     * @see #call(RestartableFunction)
     */
    public <R> @Nullable R call(Callable<R> callable) throws InterruptedException {
        return call(CallWrapperInjection.<R>into(callable));
    }

    /** The function as a callable that does {@link #call(RestartableFunction)}. */
    public <R> Callable<@Nullable R> wrap(RestartableFunction<R> function) {
        return () -> call(function);
    }

    /**
     * The callable as one that does {@link #call(Callable)}; its class is checked at once.
     *
     * @throws IllegalArgumentException if that has no place for the injection
     */
    public <R> Callable<@Nullable R> wrap(Callable<R> callable) {
        return wrap(CallWrapperInjection.<R>into(callable));
    }
}

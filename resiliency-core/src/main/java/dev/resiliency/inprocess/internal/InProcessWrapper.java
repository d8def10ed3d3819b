package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.worker.CallWrapperInjection;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The wrapper behind {@link Wrapper#builder}: runs each call as a {@link Job}. */
final class InProcessWrapper implements Wrapper {
    private final Settings settings;
    private final boolean enabled;

    InProcessWrapper(Settings settings, boolean enabled) {
        this.settings = settings;
        this.enabled = enabled;
    }

    @Override
    public <R> @Nullable R call(RestartableFunction<R> function) throws InterruptedException {
        try (CallSlot slot = CallSlot.take(settings.environment(), this, settings.callNumber())) {
            int call = slot.number();
            return enabled ? new Job<>(settings, function, call).run() : PlainCall.run(settings, function, call);
        }
    }

    @Override
    public <R> @Nullable R call(Callable<R> callable) throws InterruptedException {
        return call(CallWrapperInjection.<R>into(callable));
    }

    @Override
    public <R> Callable<@Nullable R> wrap(RestartableFunction<R> function) {
        return () -> call(function);
    }

    @Override
    public <R> Callable<@Nullable R> wrap(Callable<R> callable) {
        return wrap(CallWrapperInjection.<R>into(callable));
    }
}

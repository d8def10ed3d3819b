package dev.resiliency.inprocess.internal.settings;

import dev.resiliency.inprocess.Abort;
import dev.resiliency.inprocess.Completion;
import dev.resiliency.inprocess.Finalize;
import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.Initialize;
import dev.resiliency.inprocess.Prepare;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.Terminate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The user's hooks; null where there is none.
 *
 * @param decorator wraps what a thread of user code runs
 */
public record Hooks(
        @Nullable Prepare prepare,
        @Nullable Initialize initialize,
        @Nullable Abort abort,
        @Nullable Finalize finish,
        @Nullable HealthCheck healthCheck,
        @Nullable Completion completion,
        @Nullable Terminate terminate,
        RestartListener listener,
        UnaryOperator<Runnable> decorator) {}

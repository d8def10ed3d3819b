package dev.resiliency.inprocess.internal.settings;

import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.hook.Abort;
import dev.resiliency.inprocess.hook.Completion;
import dev.resiliency.inprocess.hook.Finalize;
import dev.resiliency.inprocess.hook.HealthCheck;
import dev.resiliency.inprocess.hook.Initialize;
import dev.resiliency.inprocess.hook.Terminate;
import org.jspecify.annotations.Nullable;

/** The user's hooks; null where there is none. */
public record Hooks(
        @Nullable Initialize initialize,
        @Nullable Abort abort,
        @Nullable Finalize finish,
        @Nullable HealthCheck healthCheck,
        @Nullable Completion completion,
        @Nullable Terminate terminate,
        RestartListener listener) {}

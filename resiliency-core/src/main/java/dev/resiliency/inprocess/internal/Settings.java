package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.hook.Abort;
import dev.resiliency.inprocess.hook.Completion;
import dev.resiliency.inprocess.hook.Finalize;
import dev.resiliency.inprocess.hook.HealthCheck;
import dev.resiliency.inprocess.hook.Initialize;
import dev.resiliency.inprocess.hook.Terminate;
import dev.resiliency.inprocess.rank.RankAssignment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings of a wrapper, checked; {@code WrapperBuilder} says what each means. Hooks that are not set are null. */
public record Settings(
        RankAssignment rankAssignment,
        @Nullable Initialize initialize,
        @Nullable Abort abort,
        @Nullable Finalize finish,
        @Nullable HealthCheck healthCheck,
        @Nullable Completion completion,
        @Nullable Terminate terminate,
        RestartListener listener,
        Duration monitorThreadInterval,
        Duration progressWatchdogInterval,
        Duration softTimeout,
        Duration hardTimeout,
        Duration barrierTimeout,
        Duration completionTimeout,
        Duration lastCallWait,
        Duration asyncStopDelay) {}

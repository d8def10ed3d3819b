package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.internal.worker.Worker;
import org.jspecify.annotations.Nullable;

/** The hook that runs between or after iterations, and is supervised while it does. Confined to the monitor thread. */
final class HookRun<R> {
    private final Supervision supervision;
    private @Nullable Worker<R> worker;

    HookRun(Supervision supervision) {
        this.supervision = supervision;
    }

    /** A hook has been started, or there is none to run. */
    void begin(@Nullable Worker<R> started) {
        worker = started;
        if (started == null) {
            supervision.end();
        } else {
            supervision.begin(started.thread(), null);
        }
    }

    /** How it has ended; null while it runs. */
    Worker.@Nullable Ending<R> ending() {
        Worker.Ending<R> ending = worker == null ? new Worker.Ending<>(null, null) : worker.ending();
        if (ending != null) {
            supervision.end();
        }
        return ending;
    }

    /** Interrupts it, if it runs. */
    void stop() {
        if (worker != null) {
            worker.interrupt();
        }
    }
}

package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.internal.worker.Worker;
import org.jspecify.annotations.Nullable;

/** A hook that runs between or after iterations, supervised by the watchdog. Confined to the monitor thread. */
final class HookRun<R> {
    private final @Nullable Worker<R> worker;

    /** Supervises a hook that has been started; null if there is none to run. */
    HookRun(Supervision supervision, @Nullable Worker<R> started) {
        worker = started;
        if (started == null) {
            supervision.end();
        } else {
            supervision.begin(started.thread(), null);
        }
    }

    /** Returns how the hook ended; null while it runs. */
    Worker.@Nullable Ending<R> ending() {
        return worker == null ? new Worker.Ending<>(null, null) : worker.ending();
    }

    /** Interrupts the hook if it runs. */
    void interrupt() {
        if (worker != null) {
            worker.interrupt();
        }
    }
}

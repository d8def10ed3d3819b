package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Waker;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether this process was asked to leave its job on purpose, and why. */
final class LeaveRequest {
    private final Waker waker;
    /** Written once, by whoever asks first, from any thread. */
    private final AtomicReference<@Nullable String> reason = new AtomicReference<>();

    LeaveRequest(Waker waker) {
        this.waker = waker;
    }

    /** Asks; the first reason counts. From any thread. */
    void make(String why) {
        reason.compareAndSet(null, why);
        waker.wake();
    }

    /** Returns why; null if nobody has asked. */
    @Nullable
    String reason() {
        return reason.get();
    }
}

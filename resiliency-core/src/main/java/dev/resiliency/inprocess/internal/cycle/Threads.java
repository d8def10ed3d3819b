package dev.resiliency.inprocess.internal.cycle;

import dev.resiliency.inprocess.ResiliencyException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Starts and ends threads, and says what to do if the system grants no more of them. */
public final class Threads {
    /** What an operator can do about a thread or process that cannot be started. */
    public static final String WHAT_TO_DO = "raise the limit of processes and threads of this user (ulimit -u) or"
            + " container (pids.max), or leave this process more memory";

    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

    private Threads() {}

    /**
     * Returns what {@code start} returns, which starts the thread of this name.
     *
     * @throws ResiliencyException if there are too many threads, or too little memory
     */
    public static <T> T start(String name, Supplier<T> start) {
        try {
            return start.get();
        } catch (OutOfMemoryError refused) {
            throw new ResiliencyException(
                    "the thread " + name + " could not be started (" + refused.getMessage() + "): " + WHAT_TO_DO,
                    refused);
        }
    }

    /** Interrupts a thread, if there is one, and waits for its end for a limited time; an interrupt ends the wait. */
    public static void stop(@Nullable Thread thread) {
        if (thread == null) {
            return;
        }
        thread.interrupt();
        try {
            thread.join(JOIN_LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the system has refused a thread, and not the heap an object. */
    public static boolean isRefusal(OutOfMemoryError error) {
        String message = error.getMessage();
        return message != null && message.contains("native thread");
    }
}

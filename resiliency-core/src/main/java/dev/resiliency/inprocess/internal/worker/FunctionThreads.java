package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.internal.log.ThrownText;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The group of the threads that the function starts. Notes which of them has died as memory ran out. */
final class FunctionThreads extends ThreadGroup {
    /** Of the first thread that has died of one since the last reset. Guarded by this. */
    private String name = "";

    /** Of that thread; null if there is none. Guarded by this. */
    private @Nullable OutOfMemoryError error;

    private final Consumer<Boolean> onOutOfMemory;

    /** Creates the group; {@code onOutOfMemory} receives whether a thread has died, and may allocate nothing. */
    FunctionThreads(String name, Consumer<Boolean> onOutOfMemory) {
        super(name);
        this.onOutOfMemory = onOutOfMemory;
    }

    /** Forgets who has died. */
    synchronized void reset() {
        error = null;
        onOutOfMemory.accept(false);
    }

    /** Returns who has died of what since the last reset; null if nobody has. */
    synchronized @Nullable String outOfMemory() {
        return error == null ? null : "lost its thread " + name + " to " + ThrownText.of(error);
    }

    /** Returns the names of those that live. */
    List<String> names() {
        Thread[] found = new Thread[activeCount() + 8]; // some may be starting
        int count = enumerate(found);
        return Arrays.stream(found, 0, count)
                .map(Thread::getName)
                .filter(each -> !each.startsWith("resiliency-"))
                .toList();
    }

    /** Allocates nothing: there may be nothing left. */
    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        if (thrown instanceof OutOfMemoryError outOfMemory) {
            note(thread, outOfMemory);
        }
        super.uncaughtException(thread, thrown);
    }

    private synchronized void note(Thread thread, OutOfMemoryError outOfMemory) {
        if (error == null) {
            name = thread.getName();
            error = outOfMemory;
            onOutOfMemory.accept(true);
        }
    }
}

package dev.resiliency.inprocess.internal.jvmti;

import dev.resiliency.inprocess.internal.log.SafeLog;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Controls platform threads from outside. */
public interface ThreadControl {
    /** Returns the control of this process, loaded by the first caller; null without JNA, or if it cannot be loaded. */
    static @Nullable ThreadControl find() {
        return Loaded.CONTROL;
    }

    /**
     * Throws into a thread, wherever it stands in Java code; a thread in a native function receives it on its return.
     * Has no effect on a thread that has ended. May block for seconds, until the thread reaches a safepoint.
     *
     * @throws IllegalStateException if the virtual machine refuses
     */
    void throwInto(Thread thread, Throwable throwable);

    /**
     * Returns whether a thread that was found in a native function returns to Java. It is suspended only while it is
     * not in Java; once it returns, it is delayed by half a millisecond at most.
     *
     * @param limit how long to observe it; the result is false if it has not returned by then, or has ended
     * @param go polled; false ends the observation
     */
    boolean returnsFromNative(Thread thread, Duration limit, BooleanSupplier go);

    /** Loads the control once. */
    final class Loaded {
        private static final Logger LOG = SafeLog.of(ThreadControl.class);
        private static final @Nullable ThreadControl CONTROL = load();

        private Loaded() {}

        private static @Nullable ThreadControl load() {
            try {
                Class.forName("com.sun.jna.Native", false, ThreadControl.class.getClassLoader());
            } catch (ClassNotFoundException absent) {
                LOG.debug("JNA is not on the class path: a function that swallows RestartSignal cannot be"
                        + " stopped in the process, and a loop around a long native function may count as a hang");
                return null;
            }
            try {
                JvmtiThreadControl control = new JvmtiThreadControl(JvmtiEnvironment.open());
                control.warmUp();
                return control;
            } catch (LinkageError | RuntimeException | InterruptedException e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                LOG.info("JNA cannot access JVMTI, so threads cannot be stopped from outside: {}", e.toString());
                return null;
            }
        }
    }
}

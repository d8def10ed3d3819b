package dev.resiliency.launcher.process;

import dev.resiliency.launcher.process.ExitReason.Shortage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A process that is started again when it ends, and those that replace it: its state, when that ends by itself, and how it has failed.
 * A supervisor has one, an agent one for each rank. All times are those of one clock, as {@link System#nanoTime}. Confined to one thread.
 */
public class KeptProcess {
    private ProcessState state = ProcessState.IDLE;
    private @Nullable Long deadline;
    private long startedAt;
    private long pid;
    private int startupFailures;
    /** Whether the last attempt to start it has failed for want of descriptors, memory or threads. */
    private boolean isShort;

    public final ProcessState state() {
        return state;
    }

    /** Returns when the state ends by itself; null if it does not. */
    public final @Nullable Long deadline() {
        return deadline;
    }

    /** Returns the id of the process that runs, or has run last; 0 if that is not known. */
    public final long pid() {
        return pid;
    }

    /** Returns how often in a row it has failed at start-up. */
    public final int startupFailures() {
        return startupFailures;
    }

    /** Enters a state that does not end by itself. */
    public final void enter(ProcessState newState) {
        state = newState;
        deadline = null;
    }

    /** Enters a state that ends by itself. */
    public final void enter(ProcessState newState, long now, Duration limit) {
        state = newState;
        deadline = now + limit.toNanos();
    }

    /** A process is about to run. */
    public final void start(long now) {
        enter(ProcessState.RUNNING);
        startedAt = now;
        pid = 0;
    }

    /** The process runs. */
    public final void hasStarted(long newPid) {
        pid = newPid;
        isShort = false;
    }

    /** The process is killed. */
    public final void kill(long now) {
        enter(ProcessState.KILLED, now, ExitReason.KILL_LIMIT);
    }

    /** Waits until a shortage has passed; returns whether the last attempt had found none. */
    public final boolean waitForResources(long now) {
        boolean isNew = !isShort;
        isShort = true;
        enter(ProcessState.WAITING, now, Shortage.PAUSE);
        return isNew;
    }

    /** Returns how long the process had run by then. */
    public final Duration uptime(long at) {
        return Duration.ofNanos(at - startedAt);
    }

    /**
     * Counts a failure; returns how many there were in a row at start-up, 0 if this one is none of these.
     *
     * @param startup within which it is one at start-up
     */
    public final int failed(Duration uptime, Duration startup) {
        startupFailures = uptime.compareTo(startup) < 0 ? startupFailures + 1 : 0;
        return startupFailures;
    }
}

package dev.resiliency.state.internal;

import dev.resiliency.inprocess.CallWrapper;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This process's copy of the state, which it keeps from iteration to iteration.
 *
 * <p>The numbers belong to the thread that runs the function of the current iteration: it changes them in an atomic
 * section or in a recovery, and the restart, which waits for both, hands them to the thread of the next one.
 */
final class Replica {
    private static final int NONE = -1;

    /** Guarded by this. */
    private final Map<String, Region> regions = new HashMap<>();
    /** The iteration that may change the state. Written under this. */
    private volatile @Nullable ReplicatedState current;

    /** Odd while the buffers are being written, and afterwards if that did not end well. */
    private long version = 1;
    /** The last step that was complete; negative before the first recovery. */
    private long step = NONE;
    /**
     * The iteration in which the state was last read from a checkpoint: states of an earlier one have been given up, even
     * if they are further.
     */
    private int line = NONE;

    /** Returns the view for this call; an earlier call's view becomes stale. */
    synchronized ReplicatedState stateFor(CallWrapper call) {
        ReplicatedState latest = current;
        if (latest == null || !latest.isOf(call)) {
            latest = new ReplicatedState(this, call);
            current = latest;
        }
        return latest;
    }

    boolean isCurrent(ReplicatedState state) {
        return current == state;
    }

    /** Returns the buffer of this name; makes it, which leaves the state incomplete, if there is none. */
    synchronized Region region(String name, Supplier<? extends Region> create) {
        Region found = regions.get(name);
        if (found == null) {
            found = create.get();
            regions.put(name, found);
            beginWrite();
        }
        return found;
    }

    /** Drops all buffers but these. */
    synchronized void retain(Collection<? extends Region> used) {
        regions.values().retainAll(used);
    }

    /** Returns whether the buffers hold exactly the state of {@link #step}. */
    boolean isWhole() {
        return version % 2 == 0;
    }

    long step() {
        return step;
    }

    int line() {
        return line;
    }

    void beginWrite() {
        version |= 1;
    }

    /** The buffers now hold the state of this step. */
    void endWrite(long completed) {
        step = completed;
        version++;
    }

    /** The buffers now hold the state of this step, of this line. */
    void endWrite(int itsLine, long completed) {
        line = itsLine;
        endWrite(completed);
    }
}

package dev.resiliency.state.internal;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.state.LiveState;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This process's part of the state, which it keeps from iteration to iteration.
 *
 * <p>The numbers belong to the thread that runs the function of the current iteration: it changes them in an atomic
 * section or in a recovery, and the restart, which waits for both, hands them to the thread of the next one.
 */
public final class Replica implements AutoCloseable {
    private static final int NONE = -1;

    private final Copies copies = new Copies();
    /** Guarded by this. */
    private final Map<String, Region> regions = new HashMap<>();
    /** The names of the buffers of the shard. Guarded by this. */
    private final Set<String> sharded = new HashSet<>();
    /** Index and count of the shard; empty before the first one. Guarded by this. */
    private List<Integer> shardNumbers = List.of();
    /** The iteration that may change the state. Written under this. */
    private volatile @Nullable IterationState current;

    /** Odd while the buffers are being written, and afterwards if that did not end well. */
    private long writes = 1;
    /** What was complete the last time. */
    private Version version = Version.NONE;
    /** The shard whose contents the buffers hold, if the state is whole; null if none. */
    private @Nullable Part shard;
    /** The last iteration in which this process called the function. Guarded by this. */
    private int lastIteration = NONE;

    /** Returns the view of what this process keeps, for this call. */
    public static LiveState of(CallWrapper call) {
        if (call.state().worldSize() > 1) {
            TransferRehearsal.begin(); // while the function asks for its buffers
        }
        return call.keep(Replica.class, Replica::new).stateFor(call);
    }

    /** Returns the view for this call; an earlier call's view becomes stale. */
    synchronized IterationState stateFor(CallWrapper call) {
        IterationState latest = current;
        if (latest == null || !latest.isOf(call)) {
            if (latest != null) {
                latest.close(); // if no abort has done so
            }
            enter(call.iteration());
            latest = new IterationState(this, call);
            current = latest;
        }
        return latest;
    }

    /**
     * If this process was a reserve in between, the others may have gone back without it: its copies, which may be of steps
     * that were repeated, count for nothing.
     */
    private void enter(int iteration) {
        if (lastIteration != NONE && lastIteration != iteration - 1) {
            copies.drop(each -> true);
        }
        lastIteration = iteration;
    }

    boolean isCurrent(IterationState state) {
        return current == state;
    }

    Copies copies() {
        return copies;
    }

    /** Returns the buffer of this name; makes it, which leaves the state incomplete, if there is none. */
    synchronized Region region(String name, boolean isSharded, Supplier<? extends Region> create) {
        Region found = regions.get(name);
        if (found != null && sharded.contains(name) != isSharded) {
            throw new IllegalArgumentException("the buffer '" + name + "' is both replicated and sharded");
        }
        if (found == null) {
            found = create.get();
            regions.put(name, found);
            if (isSharded) {
                sharded.add(name);
                shard = null;
            } else {
                beginWrite();
            }
        }
        return found;
    }

    /** Drops the buffers of the shard if they are those of another one, which may have other sizes. */
    synchronized void useShard(int index, int count) {
        List<Integer> its = List.of(index, count);
        if (!its.equals(shardNumbers)) {
            regions.keySet().removeAll(sharded);
            sharded.clear();
            shard = null;
            shardNumbers = its;
        }
    }

    /** Drops all buffers but these. */
    synchronized void retain(Collection<? extends Region> used) {
        regions.values().retainAll(used);
        sharded.retainAll(regions.keySet());
    }

    /** Returns whether the buffers hold exactly the state of {@link #version}. */
    boolean isWhole() {
        return writes % 2 == 0;
    }

    Version version() {
        return version;
    }

    @Nullable
    Part shard() {
        return shard;
    }

    void beginWrite() {
        writes |= 1;
    }

    /** The buffers now hold the state of this step. */
    void endWrite(long step) {
        version = version.at(step);
        writes++;
    }

    /**
     * The buffers now hold this state.
     *
     * @param itsShard the shard; null if the state has none
     */
    void endWrite(Version recovered, @Nullable Part itsShard) {
        version = recovered;
        shard = itsShard;
        writes = (writes | 1) + 1;
    }

    /** Ends what goes on in the background, at the end of the call of the wrapper. */
    @Override
    public void close() {
        IterationState last = current;
        if (last != null) {
            last.close();
        }
    }
}

package dev.resiliency.inprocess.internal.settings;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.State;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of every line of a rank's log: {@code [rank 3/16 it 2]} for a founder of the job, {@code [rank 17 it 2]}
 * for a joiner. The rank is the initial one, which never changes.
 */
public final class LogPrefix {
    private final String rank;
    /** Written by the monitor thread. */
    private volatile @Nullable State state;

    public LogPrefix(int rank, int worldSize) {
        this.rank = "[rank " + rank + (rank < worldSize ? "/" + worldSize : "");
    }

    /** Returns the prefix of a process whose job has not made anything of it yet. */
    public static LogPrefix of(Environment environment) {
        return new LogPrefix(environment.rank(), environment.worldSize());
    }

    public void enter(State next) {
        state = next;
    }

    @Override
    public String toString() {
        State current = state;
        return current == null ? rank + "]" : rank + " it " + current.iteration() + "]";
    }
}

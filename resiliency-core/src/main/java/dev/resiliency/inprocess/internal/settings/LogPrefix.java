package dev.resiliency.inprocess.internal.settings;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.State;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of every line of a rank's log, {@code [rank 3/16 it 2]}. The rank is the initial one, which never
 * changes.
 */
public final class LogPrefix {
    private final Environment environment;
    /** Written by the monitor thread. */
    private volatile @Nullable State state;

    public LogPrefix(Environment environment) {
        this.environment = environment;
    }

    public void enter(State next) {
        state = next;
    }

    @Override
    public String toString() {
        State current = state;
        String rank = "[rank " + environment.rank() + "/" + environment.worldSize();
        return current == null ? rank + "]" : rank + " it " + current.iteration() + "]";
    }
}

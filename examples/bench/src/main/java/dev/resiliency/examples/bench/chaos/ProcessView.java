package dev.resiliency.examples.bench.chaos;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Known state of one process of a rank: pure data. */
final class ProcessView {
    /** What people read. */
    final String name;
    /** The rank that it was launched as; -1 of a spare process of an agent. */
    final int rank;

    /** The node of its agent, and its process id; -1 without an agent. */
    final int node;

    final long pid;

    /** Whether the rank is started again when the process has ended. */
    final boolean isSupervised;

    final long launchedAt;
    private final NavigableMap<Integer, ChaosEvent.Started> started = new TreeMap<>();
    private final Map<Integer, Long> entered = new HashMap<>();
    private final Map<Integer, ChaosEvent.Restarted> restarted = new HashMap<>();
    private final Set<Integer> obeyed = new HashSet<>();
    /** When it was ready for the job; null if it is not. */
    @Nullable
    Long preparedAt;

    ChaosEvent.@Nullable Left left;
    ChaosEvent.@Nullable LeftBehind leftovers;
    /** Null if it should survive. */
    @Nullable
    ChaosFault deadly;

    /** Null while its process is alive. */
    @Nullable
    Integer exitCode;

    long exitedAt;
    boolean hasCompleted;
    /** Whether another process of its rank has been started in its place. */
    boolean isReplaced;

    /** The latest iteration in which it has saved a checkpoint. */
    int savedIn = -1;

    /**
     * Creates the view of a process that has just been launched.
     *
     * @param launchedAt when, by {@link System#nanoTime}
     */
    ProcessView(String name, int rank, int node, long pid, boolean isSupervised, long launchedAt) {
        this.name = name;
        this.rank = rank;
        this.node = node;
        this.pid = pid;
        this.isSupervised = isSupervised;
        this.launchedAt = launchedAt;
    }

    /** Returns whether it lives, and no fault may cost it. */
    boolean isToSurvive() {
        return deadly == null && exitCode == null;
    }

    void apply(ChaosEvent event) {
        if (event instanceof ChaosEvent.Prepared each) {
            preparedAt = each.nanos();
        } else if (event instanceof ChaosEvent.Started each) {
            started.put(each.iteration(), each);
        } else if (event instanceof ChaosEvent.Entered each) {
            entered.put(each.iteration(), each.nanos());
        } else if (event instanceof ChaosEvent.Restarted each) {
            restarted.put(each.iteration(), each);
        } else if (event instanceof ChaosEvent.Obeys each) {
            obeyed.add(each.order());
        } else if (event instanceof ChaosEvent.Left each) {
            left = each;
        } else if (event instanceof ChaosEvent.Completed) {
            hasCompleted = true;
        } else if (event instanceof ChaosEvent.LeftBehind each) {
            leftovers = each;
        }
    }

    /** Records the order of a fault that will hit it. */
    void ordered(ChaosFault fault) {
        if (fault.isDeadly()) {
            deadly = fault;
        }
    }

    void ended(int code, long nanos) {
        exitCode = code;
        exitedAt = nanos;
    }

    /** Returns its first iteration; null if it has not started any. */
    ChaosEvent.@Nullable Started first() {
        return started.isEmpty() ? null : started.firstEntry().getValue();
    }

    /** Returns its role in this iteration; null if it has not started that. */
    ChaosEvent.@Nullable Started started(int iteration) {
        return started.get(iteration);
    }

    /** Returns its role in its latest iteration; null if it has not started any. */
    ChaosEvent.@Nullable Started latest() {
        return started.isEmpty() ? null : started.lastEntry().getValue();
    }

    /** Returns why it restarted after this iteration; null if it has not reported that. */
    ChaosEvent.@Nullable Restarted restarted(int iteration) {
        return restarted.get(iteration);
    }

    /** Returns when it entered the function, or stood by as a reserve; null if it has not. */
    @Nullable
    Long entryInto(int iteration) {
        ChaosEvent.Started state = started.get(iteration);
        return state == null || state.isActive() ? entered.get(iteration) : Long.valueOf(state.nanos());
    }

    boolean hasObeyed(int order) {
        return obeyed.contains(order);
    }

    /** Returns whether it no longer takes part in the job. */
    boolean isGone() {
        return left != null || exitCode != null || (deadly != null && deadly.leavesStandingStill());
    }

    @Override
    public String toString() {
        return name;
    }
}

package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Stage;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Known state of one process of a rank: pure data. */
final class ProcessView {
    /** The rank that it was launched as. */
    final int rank;

    /** Whether the rank is started again when the process has ended. */
    final boolean isSupervised;

    final long launchedAt;
    private final Map<Stage, Long> reached = new EnumMap<>(Stage.class);
    private final NavigableMap<Integer, ChaosEvent.Started> started = new TreeMap<>();
    private final Map<Integer, Long> entered = new HashMap<>();
    private final Map<Integer, ChaosEvent.Restarted> restarted = new HashMap<>();
    private final Set<Integer> obeyed = new HashSet<>();
    private final Set<Integer> ahead = new HashSet<>(); // the faults that were ordered and have not happened
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

    /**
     * Creates the view of a process that has just been launched.
     *
     * @param launchedAt when, by {@link System#nanoTime}
     */
    ProcessView(int rank, boolean isSupervised, long launchedAt) {
        this.rank = rank;
        this.isSupervised = isSupervised;
        this.launchedAt = launchedAt;
    }

    void apply(ChaosEvent event) {
        if (event instanceof ChaosEvent.Reached each) {
            reached.put(each.stage(), each.nanos());
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
        } else if (event instanceof ChaosEvent.Struck each) {
            ahead.remove(each.fault());
        }
    }

    /** Records the order of a fault that will hit it. */
    void ordered(ChaosFault fault) {
        ahead.add(fault.id());
        if (fault.isDeadly()) {
            deadly = fault;
        }
    }

    /** Returns whether a fault was ordered that has not happened. */
    boolean hasFaultAhead() {
        return !ahead.isEmpty();
    }

    void ended(int code, long nanos) {
        exitCode = code;
        exitedAt = nanos;
    }

    /** Returns when it reached this stage on its way into the job; null if it has not. */
    @Nullable
    Long reached(Stage stage) {
        return reached.get(stage);
    }

    /** Returns the number by which the job names it; null unless it has been in an iteration. */
    @Nullable
    Integer number() {
        ChaosEvent.Started latest = latest();
        return latest == null ? null : (Integer) latest.number();
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
}

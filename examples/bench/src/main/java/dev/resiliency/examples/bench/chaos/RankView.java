package dev.resiliency.examples.bench.chaos;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Known state of one rank: pure data. */
final class RankView {
    private final NavigableMap<Integer, ChaosEvent.Started> started = new TreeMap<>();
    private final Map<Integer, Long> entered = new HashMap<>();
    private final Map<Integer, ChaosEvent.Restarted> restarted = new HashMap<>();
    private final Set<Integer> obeyed = new HashSet<>();
    private ChaosEvent.@Nullable Left left;
    private ChaosEvent.@Nullable LeftBehind leftovers;
    private @Nullable Strike deadly;
    private @Nullable Integer exitCode;
    private boolean completed;

    void apply(ChaosEvent event) {
        if (event instanceof ChaosEvent.Started each) {
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
            completed = true;
        } else if (event instanceof ChaosEvent.LeftBehind each) {
            leftovers = each;
        }
    }

    /** Records a deadly strike. */
    void struckDeadly(Strike strike) {
        deadly = strike;
    }

    void ended(int code) {
        exitCode = code;
    }

    /** Returns its ranks in this iteration; null if it has not started that. */
    ChaosEvent.@Nullable Started started(int iteration) {
        return started.get(iteration);
    }

    /** Returns its ranks in its latest iteration; null if it has not started any. */
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

    ChaosEvent.@Nullable Left left() {
        return left;
    }

    ChaosEvent.@Nullable LeftBehind leftovers() {
        return leftovers;
    }

    /** Returns its deadly strike; null if it should survive. */
    @Nullable
    Strike deadly() {
        return deadly;
    }

    /** Returns the exit code; null while its process is alive. */
    @Nullable
    Integer exitCode() {
        return exitCode;
    }

    boolean hasCompleted() {
        return completed;
    }

    /** Returns whether it no longer takes part in the job. */
    boolean isGone() {
        return left != null || exitCode != null || (deadly != null && deadly.leavesStandingStill());
    }
}

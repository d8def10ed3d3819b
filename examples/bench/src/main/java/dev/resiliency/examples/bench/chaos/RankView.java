package dev.resiliency.examples.bench.chaos;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is known of one rank: pure state. */
final class RankView {
    private final NavigableMap<Integer, ChaosEvent.Started> started = new TreeMap<>();
    private final Map<Integer, Long> entered = new HashMap<>();
    private final Map<Integer, ChaosEvent.Restarted> restarted = new HashMap<>();
    private final Set<Integer> obeyed = new HashSet<>();
    private ChaosEvent.@Nullable Left left;
    private ChaosEvent.@Nullable Leftovers leftovers;
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
        } else if (event instanceof ChaosEvent.Leftovers each) {
            leftovers = each;
        }
    }

    /** It was given a strike that costs it. */
    void struckDeadly(Strike strike) {
        deadly = strike;
    }

    void ended(int code) {
        exitCode = code;
    }

    /** What it was in this iteration; null if it has not started that. */
    ChaosEvent.@Nullable Started started(int iteration) {
        return started.get(iteration);
    }

    /** What it is in its latest iteration; null if it has not started any. */
    ChaosEvent.@Nullable Started latest() {
        return started.isEmpty() ? null : started.lastEntry().getValue();
    }

    /** Why it was restarted after this iteration; null if it has not told that. */
    ChaosEvent.@Nullable Restarted restarted(int iteration) {
        return restarted.get(iteration);
    }

    /** When it was in the function, or stood by as a spare; null if it has not. */
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

    ChaosEvent.@Nullable Leftovers leftovers() {
        return leftovers;
    }

    /** The strike that is to cost it; null if it is to go on. */
    @Nullable
    Strike deadly() {
        return deadly;
    }

    /** Null while its process lives. */
    @Nullable
    Integer exitCode() {
        return exitCode;
    }

    boolean hasCompleted() {
        return completed;
    }

    /** Whether it takes part in the job no more. */
    boolean isGone() {
        return left != null || exitCode != null || (deadly != null && deadly.leavesStandingStill());
    }
}

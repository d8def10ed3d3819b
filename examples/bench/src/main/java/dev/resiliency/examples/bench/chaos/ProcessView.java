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
    /** The order of its launch in the job, from 0: by it, faults name the process that they hit. */
    final int index;
    /** What people read. */
    final String name;
    /** The rank that it was launched as; -1 of a spare process of an agent. */
    final int rank;

    /** The node of its agent, and its process id; -1 without an agent. */
    final int node;

    final long pid;

    /** Whether the rank is started again when the process has ended. */
    final boolean isSupervised;

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
    /** The latest iteration in which it has saved a checkpoint. */
    int savedIn = -1;

    /** Creates the view of a process that has just been launched. */
    ProcessView(int index, String name, int rank, int node, long pid, boolean isSupervised) {
        this.index = index;
        this.name = name;
        this.rank = rank;
        this.node = node;
        this.pid = pid;
        this.isSupervised = isSupervised;
    }

    void apply(ChaosEvent event) {
        if (event instanceof ChaosEvent.Prepared each) {
            preparedAt = each.nanos();
        } else if (event instanceof ChaosEvent.Started each) {
            started.put(each.iteration(), each);
        } else if (event instanceof ChaosEvent.Entered each) {
            entered.put(each.iteration(), each.nanos());
        } else if (event instanceof ChaosEvent.Saved each) {
            savedIn = Math.max(savedIn, each.iteration());
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

    /** Returns the number by which the job names it; -1 if it has not told it, and may be any. */
    int number() {
        ChaosEvent.Started latest = latest();
        return latest == null ? -1 : latest.number();
    }

    /** Returns whether it has been in an iteration of the job. */
    boolean isMember() {
        return !started.isEmpty();
    }

    /** Returns whether it waits until the job takes it in. */
    boolean isWaiting() {
        return !isMember() && preparedAt != null;
    }

    /** Returns whether it has waited since before this time. */
    boolean hasWaitedSince(long nanos) {
        return !isMember() && preparedAt != null && preparedAt - nanos < 0;
    }

    /** Returns whether it runs its function in this iteration, or stands by. */
    boolean isIn(int iteration) {
        ChaosEvent.Started latest = latest();
        return latest != null && latest.iteration() == iteration && entryInto(iteration) != null;
    }

    boolean isActive() {
        ChaosEvent.Started latest = latest();
        return latest != null && latest.isActive();
    }

    boolean hasObeyed(int order) {
        return obeyed.contains(order);
    }

    /** Returns whether it lives, and no fault may cost it. */
    boolean isToSurvive() {
        return deadly == null && exitCode == null;
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

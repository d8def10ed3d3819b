package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.ChaosEvent.Started;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
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

    private final Map<Class<?>, NavigableMap<Integer, ChaosEvent>> events = new HashMap<>(); // by kind and iteration
    /** Null if it should survive. */
    @Nullable
    ChaosFault deadly;

    /** Null while its process is alive. */
    @Nullable
    Integer exitCode;

    long exitedAt;

    /** Creates the view of a process that has just been launched. */
    ProcessView(int index, String name, int rank, int node, long pid, boolean isSupervised) {
        this.index = index;
        this.name = name;
        this.rank = rank;
        this.node = node;
        this.pid = pid;
        this.isSupervised = isSupervised;
    }

    /** Keeps the event, of those of the same kind and iteration only the last one. */
    void apply(ChaosEvent event) {
        all(event.getClass()).put(event.iteration(), event);
    }

    private NavigableMap<Integer, ChaosEvent> all(Class<? extends ChaosEvent> kind) {
        return events.computeIfAbsent(kind, key -> new TreeMap<>());
    }

    /** Returns what it has reported of this iteration; null if nothing of this kind. */
    <T extends ChaosEvent> @Nullable T in(int iteration, Class<T> kind) {
        ChaosEvent event = all(kind).get(iteration);
        return event == null ? null : kind.cast(event);
    }

    /** Returns what it has reported of its latest iteration, or outside of iterations; null if nothing of this kind. */
    <T extends ChaosEvent> @Nullable T last(Class<T> kind) {
        return all(kind).isEmpty() ? null : in(all(kind).lastKey(), kind);
    }

    boolean has(Class<? extends ChaosEvent> kind) {
        return !all(kind).isEmpty();
    }

    /** Returns its first iteration; null if it has not started any. */
    @Nullable
    Started first() {
        return isMember() ? in(all(Started.class).firstKey(), Started.class) : null;
    }

    /** Returns its role in this iteration; null if it has not started that. */
    @Nullable
    Started started(int iteration) {
        return in(iteration, Started.class);
    }

    /** Returns its role in its latest iteration; null if it has not started any. */
    @Nullable
    Started latest() {
        return last(Started.class);
    }

    /** Returns when it entered the function, or stood by as a reserve; null if it has not. */
    @Nullable
    Long entryInto(int iteration) {
        Started started = started(iteration);
        boolean isReserve = started != null && !started.state().isActive();
        ChaosEvent entry = isReserve ? started : in(iteration, ChaosEvent.Entered.class);
        return entry == null ? null : (Long) entry.nanos();
    }

    /** Returns the number by which the job names it; -1 if it has not told it, and may be any. */
    int number() {
        Started latest = latest();
        return latest == null ? -1 : latest.number();
    }

    /** Returns whether it has been in an iteration of the job. */
    boolean isMember() {
        return has(Started.class);
    }

    /** Returns whether it waits until the job takes it in. */
    boolean isWaiting() {
        return !isMember() && has(ChaosEvent.Prepared.class);
    }

    /** Returns whether it has waited since before this time. */
    boolean hasWaitedSince(long nanos) {
        ChaosEvent prepared = last(ChaosEvent.Prepared.class);
        return !isMember() && prepared != null && prepared.nanos() - nanos < 0;
    }

    /** Returns whether it runs its function in this iteration, or stands by. */
    boolean isIn(int iteration) {
        Started latest = latest();
        return latest != null && latest.iteration() == iteration && entryInto(iteration) != null;
    }

    boolean isActive() {
        Started latest = latest();
        return latest != null && latest.state().isActive();
    }

    /** Returns whether it lives, and no fault may cost it. */
    boolean isToSurvive() {
        return deadly == null && exitCode == null;
    }

    /** Returns whether it no longer takes part in the job. */
    boolean isGone() {
        return has(ChaosEvent.Left.class) || exitCode != null || (deadly != null && deadly.leavesStandingStill());
    }

    @Override
    public String toString() {
        return name;
    }
}

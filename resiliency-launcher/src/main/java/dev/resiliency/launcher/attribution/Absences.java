package dev.resiliency.launcher.attribution;

import java.util.HashSet;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Which processes of a node are missing, from the first that has ended until all are back. A process of a wrapped job is back when it
 * takes part: it may load for minutes. Confined to the thread of the agent.
 */
final class Absences {
    private final IntPredicate takesPart;
    /** Those that do not run; at first those that shall. */
    private final Set<Integer> down = new HashSet<>();
    /** Those that run and do not take part yet. */
    private final Set<Integer> returning = new HashSet<>();
    /** Those whose former process has taken part. */
    private final Set<Integer> wrapped = new HashSet<>();
    /** Whether the node has had a part in the job. */
    private boolean hasBegun;

    /**
     * Notes that none of so many processes has started yet.
     *
     * @param takesPart whether a process has its part in a wrapped job
     */
    Absences(int processes, IntPredicate takesPart) {
        this.takesPart = takesPart;
        IntStream.range(0, processes).forEach(down::add);
    }

    /** A process has ended, and should not have. */
    void ended(int process) {
        hasBegun = true;
        if (takesPart.test(process)) {
            wrapped.add(process);
        }
        returning.remove(process);
        down.add(process);
    }

    /** A process runs; returns whether all are back with it. */
    boolean started(int process) {
        hasBegun = true;
        if (!down.remove(process)) {
            return false;
        }
        if (wrapped.contains(process)) {
            returning.add(process);
        }
        return down.isEmpty() && returning.isEmpty();
    }

    /** Returns whether one is missing. A node that was refused, or is spare, misses none. */
    boolean any() {
        return hasBegun && (!down.isEmpty() || !returning.isEmpty());
    }

    /** Returns whether {@link #areBack} is worth a look. */
    boolean awaitReturn() {
        return down.isEmpty() && !returning.isEmpty();
    }

    /** Looks who takes part by now; returns whether all are back, only once. */
    boolean areBack() {
        return returning.removeIf(takesPart::test) && down.isEmpty() && returning.isEmpty();
    }
}

package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.ChaosEvent.Started;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks the numbers of iterations and generations, which only grow in the life of a job, and how each process says that it
 * came into an iteration. Events of different processes may arrive in any order. Pure data.
 */
final class IterationWatch {
    /** The first iteration of those that begin anew is a multiple of this. */
    private static final int STEP = 100;

    private final int ranks;
    private final NavigableMap<Integer, Started> iterations = new TreeMap<>(); // the first event of each
    private final Set<Integer> foundedBySurvivors = new HashSet<>(); // generations

    IterationWatch(int ranks) {
        this.ranks = ranks;
    }

    /** Returns whether an iteration may be the first of those that begin anew. */
    static boolean isFirst(int iteration) {
        return iteration % STEP == 0;
    }

    /** Records that a process has started an iteration, before its view does; returns what is wrong. */
    List<String> started(ProcessView process, Started event) {
        List<String> wrong = new ArrayList<>();
        Started before = process.latest();
        int rank = process.rank < 0 ? event.number() : process.rank; // a spare has the rank of another one
        checkEntry(rank, before, event, wrong);
        if (before != null && before.generation() < event.generation()) {
            foundedBySurvivors.add(event.generation());
        }
        iterations.putIfAbsent(event.iteration(), event);
        Map.Entry<Integer, Started> lower = iterations.lowerEntry(event.iteration());
        if (lower != null) {
            checkGrowth(lower.getValue(), event, wrong);
        }
        Map.Entry<Integer, Started> higher = iterations.higherEntry(event.iteration());
        if (higher != null) {
            checkGrowth(event, higher.getValue(), wrong);
        }
        return wrong;
    }

    private void checkEntry(int rank, @Nullable Started before, Started event, List<String> wrong) {
        if (before != null && before.iteration() >= event.iteration()) {
            wrong.add("number %d has started iteration %d after iteration %d"
                    .formatted(event.number(), event.iteration(), before.iteration()));
        }
        boolean isConsistent = switch (event.state().entry()) {
            case FOUNDED -> before == null && isFirst(event.iteration()) && event.number() == rank;
            // A reserve that has followed its agent is no founder there.
            case JOINED -> event.number() >= ranks && (before == null || before.generation() < event.generation());
            case SURVIVED -> before != null && (follows(rank, before, event) || survives(before, event));
        };
        if (!isConsistent) {
            wrong.add("number %d, launched as rank %d, says that it has %s iteration %d; it was %s"
                    .formatted(
                            event.number(),
                            rank,
                            event.state().entry().name().toLowerCase(Locale.ROOT),
                            event.iteration(),
                            before == null ? "in none before" : "in iteration " + before.iteration() + " before"));
        }
    }

    /** Returns whether the process has followed its agent to another store, where it is a founder. */
    private static boolean follows(int rank, Started before, Started event) {
        return isFirst(event.iteration()) && event.number() == rank && before.generation() < event.generation();
    }

    private static boolean survives(Started before, Started event) {
        return before.number() == event.number()
                && before.life() == event.life()
                // An iteration whose store is lost as it begins may begin on some ranks only.
                && (before.generation() < event.generation()
                        || (before.generation() == event.generation() && before.iteration() == event.iteration() - 1));
    }

    private static void checkGrowth(Started low, Started high, List<String> wrong) {
        if (!low.growsInto(high)) {
            wrong.add("generations or restarts do not grow: from %s to %s".formatted(low, high));
        }
    }

    /** Returns the {@linkplain Started#life life} of an iteration; null if no process has been seen in it. */
    @Nullable
    Integer life(int iteration) {
        Started seen = iterations.get(iteration);
        return seen == null ? null : (Integer) seen.life();
    }

    /** Returns whether two iterations belong to the same life, as far as processes have been seen in them. */
    boolean areOfOneLife(int one, int other) {
        Integer known = life(one);
        return known == null || life(other) == null || known.equals(life(other));
    }

    /** Returns how often the job has begun anew, without survivors. */
    int begunAnew() {
        long generations =
                iterations.values().stream().map(Started::generation).distinct().count();
        return Math.max(0, (int) generations - 1 - foundations());
    }

    /** Returns how often survivors have founded the store anew. */
    int foundations() {
        return foundedBySurvivors.size();
    }

    /** Returns the latest generation. */
    int generations() {
        return iterations.isEmpty() ? 0 : iterations.lastEntry().getValue().generation();
    }

    /**
     * Returns the iterations of the job from one to another, which is excluded: a new life leaves numbers out. At
     * its border, only iterations are returned in which a process has been seen.
     */
    List<Integer> between(int from, int to) {
        List<Integer> between = new ArrayList<>();
        for (int iteration = from; iteration < to; iteration++) {
            if (areOfOneLife(from, to) || iterations.containsKey(iteration)) {
                between.add(iteration);
            }
        }
        return between;
    }
}

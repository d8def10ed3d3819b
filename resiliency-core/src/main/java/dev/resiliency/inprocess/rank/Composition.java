package dev.resiliency.inprocess.rank;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rank assignments one after the other, and the rules for combining them.
 *
 * @param steps in the order in which they run
 */
record Composition(List<RankAssignment> steps) implements RankAssignment {

    /** Composes assignments as a user lists them: the last one runs first. */
    static RankAssignment of(List<RankAssignment> listed) {
        if (listed.size() == 1 && (listed.get(0) instanceof Tree || listed.get(0) instanceof Composition)) {
            return listed.get(0);
        }
        List<RankAssignment> steps = new ArrayList<>();
        for (RankAssignment assignment : listed) {
            if (assignment instanceof Composition inner) {
                List<RankAssignment> innerListed = new ArrayList<>(inner.steps);
                Collections.reverse(innerListed);
                steps.addAll(innerListed);
            } else {
                steps.add(assignment);
            }
        }
        Collections.reverse(steps);
        for (int i = 0; i < steps.size(); i++) {
            check(steps.get(i), steps.subList(0, i), steps.subList(i + 1, steps.size()));
        }
        if (steps.stream().noneMatch(Composition::mayCloseGaps)) {
            throw new IllegalArgumentException(names(steps) + " would leave lost ranks where they were:"
                    + " list shiftRanks or fillGaps last, or before the filter that is last");
        }
        return new Composition(List.copyOf(steps));
    }

    private static void check(RankAssignment step, List<RankAssignment> earlier, List<RankAssignment> later) {
        if (step instanceof Tree) {
            throw new IllegalArgumentException("Tree cannot be composed: it closes gaps and activates ranks by its"
                    + " layers, which another assignment would undo. Express the rest as a layer, or as its world size"
                    + " filter");
        }
        if (step instanceof FilterCountGroupedByKey && later.stream().noneMatch(Composition::mayCloseGaps)) {
            throw new IllegalArgumentException("filterCountGroupedByKey only marks ranks, and nothing that runs after"
                    + " it drops them: list shiftRanks or fillGaps before it (the last one listed runs first)");
        }
        if (step instanceof ActivateAllRanks) {
            Stream.concat(earlier.stream(), later.stream())
                    .filter(Composition::activates)
                    .findFirst()
                    .ifPresent(other -> {
                        throw new IllegalArgumentException("activateAllRanks activates every rank, so it cannot be"
                                + " composed with " + name(other) + ", which also says who is active: leave one out");
                    });
        }
        if (closesGaps(step)) {
            earlier.stream().filter(Composition::activates).findFirst().ifPresent(activation -> {
                throw new IllegalArgumentException(name(step) + " runs after " + name(activation)
                        + " and would activate all ranks again: list it after (the last one listed runs first)");
            });
        }
    }

    private static boolean closesGaps(RankAssignment step) {
        return step instanceof ShiftRanks || step instanceof FillGaps;
    }

    /** Returns whether this step may remove lost ranks, which is unknown of a user's own assignment. */
    private static boolean mayCloseGaps(RankAssignment step) {
        return !activates(step) && !(step instanceof FilterCountGroupedByKey);
    }

    private static boolean activates(RankAssignment step) {
        return step instanceof ActivateAllRanks || limits(step);
    }

    private static boolean limits(RankAssignment step) {
        return step instanceof MaxActiveWorldSize
                || step instanceof ActiveWorldSizeDivisibleBy
                || step instanceof MaxRanks
                || step instanceof WorldSizeFilter;
    }

    private static String names(List<RankAssignment> steps) {
        List<String> names = new ArrayList<>();
        steps.forEach(step -> names.add(0, name(step)));
        return String.join(", ", names);
    }

    /** Returns the name of its factory on {@link RankAssignment}; of a user's own assignment that of its class. */
    private static String name(RankAssignment step) {
        String name = step.getClass().getSimpleName();
        boolean hasFactory = step.getClass().getPackage() == Composition.class.getPackage();
        return hasFactory ? Character.toLowerCase(name.charAt(0)) + name.substring(1) : name;
    }

    /** Inserts the limit before the last steps that limit: their conditions shall hold for the result. */
    @Override
    public RankAssignment limitedTo(int maxRanks) {
        int end = steps.size();
        while (end > 0 && limits(steps.get(end - 1))) {
            end--;
        }
        List<RankAssignment> limited = new ArrayList<>(steps);
        limited.add(end, new MaxRanks(maxRanks));
        return new Composition(List.copyOf(limited));
    }

    @Override
    public List<GroupKey> keys() {
        return steps.stream().flatMap(step -> step.keys().stream()).toList();
    }

    @Override
    public World assign(World world) {
        int firstKey = world.firstKey();
        World next = world;
        for (RankAssignment step : steps) {
            next = step.assign(next.withFirstKey(firstKey));
            firstKey += step.keys().size();
        }
        return next.withFirstKey(world.firstKey());
    }

    @Override
    public String toString() {
        return "compose(" + names(steps) + ")";
    }
}

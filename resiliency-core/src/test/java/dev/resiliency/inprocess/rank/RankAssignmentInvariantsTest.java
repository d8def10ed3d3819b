package dev.resiliency.inprocess.rank;

import dev.resiliency.store.IndexSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Invariants of all assignments, checked on random worlds: jobs that begin, and lose ranks twice. A failure names its
 * seed.
 */
class RankAssignmentInvariantsTest {
    private static final int WORLDS = Integer.getInteger("resiliency.worlds", 5_000);
    private static final int LARGEST = 16;

    /** A random rank assignment of one kind. */
    interface Kind extends Function<Random, RankAssignment> {}

    static Stream<Named<Kind>> kinds() {
        return Stream.of(
                kind(
                        "ActivateAllRanks, ShiftRanks",
                        random -> compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks())),
                kind(
                        "ActivateAllRanks, FillGaps",
                        random -> compose(RankAssignment.activateAllRanks(), RankAssignment.fillGaps())),
                kind("MaxActiveWorldSize, ShiftRanks", random -> compose(max(random), RankAssignment.shiftRanks())),
                kind(
                        "ActiveWorldSizeDivisibleBy, FillGaps",
                        random -> compose(divisor(random), RankAssignment.fillGaps())),
                kind(
                        "ActiveWorldSizeDivisibleBy, MaxActiveWorldSize, ShiftRanks, FilterCountGroupedByKey",
                        random -> compose(divisor(random), max(random), RankAssignment.shiftRanks(), filter(random))),
                kind(
                        "MaxActiveWorldSize, FillGaps, FilterCountGroupedByKey, FilterCountGroupedByKey",
                        random -> compose(max(random), RankAssignment.fillGaps(), filter(random), filter(random))),
                kind("Tree", random -> tree(random)),
                kind("Tree with RESERVE", random -> tree(random, Layer.Flag.RESERVE)),
                kind("Tree with BACKFILL", random -> tree(random, Layer.Flag.BACKFILL)),
                kind("Tree with both", random -> tree(random, Layer.Flag.RESERVE, Layer.Flag.BACKFILL)));
    }

    private static Named<Kind> kind(String name, Kind kind) {
        return Named.of(name, kind);
    }

    private static RankAssignment compose(RankAssignment... parts) {
        return RankAssignment.compose(parts);
    }

    private static RankAssignment max(Random random) {
        return RankAssignment.maxActiveWorldSize(1 + random.nextInt(LARGEST));
    }

    private static RankAssignment divisor(Random random) {
        return RankAssignment.activeWorldSizeDivisibleBy(1 + random.nextInt(4));
    }

    private static RankAssignment filter(Random random) {
        int required = 1 + random.nextInt(3);
        return RankAssignment.filterCountGroupedByKey(groups(random), count -> count >= required);
    }

    private static GroupKey groups(Random random) {
        int size = 1 + random.nextInt(5);
        int modulus = 1 + random.nextInt(5);
        return random.nextBoolean()
                ? GroupKey.initialRankDividedBy(size)
                : initialRank -> Integer.toString(initialRank % modulus);
    }

    private static Tree tree(Random random, Layer.Flag... flags) {
        List<Layer> layers = new ArrayList<>();
        layers.add(limits(random, Layer.root(), LARGEST).flags(flags));
        for (int depth = random.nextInt(3); depth > 0; depth--) {
            layers.add(limits(random, Layer.by(groups(random)), 4)
                    .flags(random.nextInt(4) == 0 ? new Layer.Flag[0] : flags));
        }
        int divisor = 1 + random.nextInt(3);
        return new Tree(layers, size -> size / divisor * divisor);
    }

    private static Layer limits(Random random, Layer layer, int most) {
        Layer limited = layer.minRanks(random.nextInt(4));
        return random.nextBoolean() ? limited : limited.maxRanks(1 + random.nextInt(most));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void hold(Kind kind) throws Exception {
        int worlds = 0;
        for (int seed = 0; worlds < WORLDS; seed++) {
            Random random = new Random(seed);
            RankAssignment assignment = kind.apply(random);
            World before = Worlds.initial(assignment, 1 + random.nextInt(LARGEST));
            for (int restarts = 0; restarts < 3 && before.size() > 0; restarts++) {
                World after = assignment.assign(before);
                new Invariants("seed " + seed, assignment, before, after).check();
                before = after.lose(someOf(after, random));
                worlds++;
            }
        }
    }

    private static IndexSet someOf(World world, Random random) {
        int chance = 2 + random.nextInt(6);
        return IndexSet.of(world.placements().stream()
                .filter(each -> random.nextInt(chance) == 0)
                .mapToInt(Placement::initialRank)
                .toArray());
    }
}

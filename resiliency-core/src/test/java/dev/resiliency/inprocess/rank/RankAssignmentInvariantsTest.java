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
 * Invariants of all assignments, checked on random histories: jobs that begin, lose ranks and are joined by others. A
 * failure names its seed.
 */
class RankAssignmentInvariantsTest {
    /** The number of jobs, of all kinds together. */
    private static final int JOBS = Integer.getInteger("resiliency.jobs", 5_000);

    private static final int RESTARTS = 5;
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
                        "ActivateAllRanks, FillGaps, FilterCountGroupedByKey of an exact count",
                        random -> compose(
                                RankAssignment.activateAllRanks(), RankAssignment.fillGaps(), exactFilter(random))),
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

    private static RankAssignment exactFilter(Random random) {
        int required = 1 + random.nextInt(3);
        return RankAssignment.filterCountGroupedByKey(groups(random), count -> count == required);
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
        int jobs = (int) (JOBS / kinds().count());
        for (int seed = 0; seed < jobs; seed++) {
            new Job(kind, seed).check();
        }
    }

    /** One job: its assignment, and the numbers of those that have come. */
    private static final class Job {
        private final Random random;
        private final RankAssignment assignment;
        private final int maxRanks;
        private final String name;
        private int nextNumber;
        private boolean isReplaced;

        Job(Kind kind, int seed) {
            this.random = new Random(seed);
            this.assignment = kind.apply(random);
            this.nextNumber = 1 + random.nextInt(LARGEST);
            this.maxRanks = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(LARGEST);
            this.name = "seed " + seed;
        }

        void check() throws Exception {
            World before = join(Worlds.initial(assignment, nextNumber), random.nextInt(3));
            for (int restarts = 0;
                    restarts <= RESTARTS && !before.healthyMembers().isEmpty();
                    restarts++) {
                Restart restart = new Restart(name + " restart " + restarts, assignment, maxRanks, before);
                Invariants.check(restart);
                if (isReplaced) {
                    Invariants.checkReplaced(restart);
                }
                before = next(restart.after());
            }
        }

        private World next(World world) throws Exception {
            IndexSet lost = someOf(world);
            World before = world.lose(lost);
            isReplaced = !lost.equals(world.members()) && random.nextInt(4) == 0;
            if (lost.equals(world.members())) {
                return before;
            }
            if (isReplaced) {
                for (Placement placement : world.placements()) {
                    before = lost.contains(placement.initialRank())
                            ? before.join(nextNumber++, placement.keys())
                            : before;
                }
                return before;
            }
            return join(before, random.nextInt(5));
        }

        private World join(World world, int joiners) throws Exception {
            World joined = world;
            for (int i = 0; i < joiners; i++) {
                joined = Worlds.join(joined, assignment, nextNumber++, random.nextInt(2 * LARGEST));
            }
            return joined;
        }

        private IndexSet someOf(World world) {
            int chance = 2 + random.nextInt(6);
            return IndexSet.of(world.placements().stream()
                    .filter(each -> random.nextInt(chance) == 0)
                    .mapToInt(Placement::initialRank)
                    .toArray());
        }
    }
}

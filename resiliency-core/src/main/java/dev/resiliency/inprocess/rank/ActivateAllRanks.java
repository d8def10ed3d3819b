package dev.resiliency.inprocess.rank;

/** Activates every rank, in the order of the ranks. The guide's {@code ActivateAllRanks}. */
public record ActivateAllRanks() implements RankAssignment {
    @Override
    public World assign(World world) {
        return new World(world.placements().stream()
                .map(placement -> placement.withActiveRank(placement.rank()))
                .toList());
    }
}

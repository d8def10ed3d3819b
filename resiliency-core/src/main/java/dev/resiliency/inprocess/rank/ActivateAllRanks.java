package dev.resiliency.inprocess.rank;

/**
 * Activates every rank, those that join as well, in the order of the ranks. Cannot be composed with another assignment that decides which ranks
 * are active. Corresponds to nvidia-resiliency-ext's {@code ActivateAllRanks}.
 */
record ActivateAllRanks() implements RankAssignment {
    @Override
    public World assign(World world) {
        return world.with(world.placements().stream()
                .map(placement -> placement.activated(placement.rank(), placement.reason()))
                .toList());
    }
}

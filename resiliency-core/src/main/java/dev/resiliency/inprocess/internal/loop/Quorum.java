package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.internal.protocol.Leader.WorldBefore;
import dev.resiliency.inprocess.internal.protocol.Shortage;
import dev.resiliency.inprocess.rank.World;
import java.time.Duration;

/** Whether the ranks that are left, and those that have come, are enough for the next iteration: rule 10. */
sealed interface Quorum {

    /** They are. */
    record Enough() implements Quorum {}

    /**
     * The leader waits for more.
     *
     * @param atMost how long it waits in all
     * @param reason for logs
     */
    record WaitForMore(Duration atMost, String reason) implements Quorum {}

    /** They are too few, and not enough have come in time: the job ends. */
    record TooFew(Shortage shortage) implements Quorum {}

    /**
     * Judges a world.
     *
     * @param maxActive the limit of active ranks
     * @param before the world before, with those who wait to join
     * @param next the result of the rank assignment
     * @param waited how long the leader has waited
     */
    static Quorum of(Elasticity elasticity, int maxActive, WorldBefore before, World next, Duration waited) {
        int active = next.activeSize();
        boolean isPromised = !before.promises().open().isEmpty();
        // A job without a minimum does not wait if no one can go on, unless somebody is about to come.
        if (active < elasticity.minRanks() && (elasticity.minRanks() > 1 || isPromised)) {
            return waited.compareTo(elasticity.rendezvousTimeout()) < 0
                    ? new WaitForMore(
                            elasticity.rendezvousTimeout(),
                            "%d ranks would be active, and minRanks is %d".formatted(active, elasticity.minRanks()))
                    : new TooFew(new Shortage(
                            active,
                            elasticity.minRanks(),
                            before.world().healthyMembers().minus(before.joiners()),
                            before.joiners(),
                            waited));
        }
        int wanted = Math.min(before.world().activeSize(), maxActive);
        boolean mayCome = isPromised || !before.promises().wereMade();
        if (active < wanted && mayCome && waited.compareTo(elasticity.replacementWait()) < 0) {
            return new WaitForMore(
                    elasticity.replacementWait(),
                    "%d ranks were active, and without replacement %d would be".formatted(wanted, active));
        }
        return new Enough();
    }
}

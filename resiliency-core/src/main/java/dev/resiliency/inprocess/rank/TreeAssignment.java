package dev.resiliency.inprocess.rank;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One computation of a {@link Tree}: the ranks as leaves of their groups, and the steps that change them. Each step is
 * linear in the number of ranks, except for sorting.
 *
 * <p>The tree is rebuilt each time from the remaining ranks: the order of its leaves is the order of the ranks, and
 * does not change when some are lost.
 */
final class TreeAssignment {
    private static final String FULL = "a group that it is in has as many active ranks as it may";

    private final World world;
    private final Group root;
    private final List<Leaf> leaves = new ArrayList<>();
    /** Ranks that join but cannot be in this tree. */
    private final List<Placement> strays = new ArrayList<>();

    TreeAssignment(List<Layer> layers, World world) {
        this.world = world;
        // A rank that died before it published its keys has no place in the tree, and never had a role.
        List<Placement> known = world.placements().stream()
                .filter(placement -> placement.healthy() || !placement.keys().isEmpty())
                .toList();
        this.root = new Group(null, known.isEmpty() ? "" : world.key(known.get(0), 0), layers.get(0));
        known.forEach(placement -> add(placement, layers));
        root.forEachLeaf(leaves::add);
    }

    private void add(Placement placement, List<Layer> layers) {
        if (!world.key(placement, 0).equals(root.key())) {
            String refusal = "the first layer of a Tree must have one key for all ranks, but it is " + root.key()
                    + " on the first one and " + world.key(placement, 0) + " on rank "
                    + placement.initialRank();
            if (!placement.isJoining()) {
                throw new IllegalStateException(refusal);
            }
            strays.add(placement.unhealthy(refusal));
            return;
        }
        Group group = root;
        for (int depth = 1; depth < layers.size(); depth++) {
            group = group.child(world.key(placement, depth), layers.get(depth));
        }
        group.add(new Leaf(placement, group));
    }

    /** Activates, when the job begins, as many ranks as the layers allow. */
    void activateNew() {
        if (!world.isNew()) {
            return;
        }
        int active = 0;
        int reserves = 0;
        for (Leaf leaf : leaves.stream().filter(each -> !each.joins()).toList()) {
            if (leaf.group().activateOne()) {
                leaf.activate(active++, "");
            } else {
                leaf.deactivate(reserves++, FULL);
            }
        }
    }

    void dropSmallGroups() {
        root.dropSmallGroups();
    }

    /**
     * Fills the places of lost active ranks with others, as close as the layers' flags allow, and those of the
     * remaining ones by shifting. Ranks that join substitute for lost ones before they come last.
     */
    void replaceLost() {
        List<Leaf> joiners = leaves.stream().filter(Leaf::joins).toList();
        List<Leaf> reserves = leaves.stream()
                .filter(leaf -> leaf.isReserve() && !leaf.joins())
                .toList();
        for (int i = joiners.size() - 1; i >= 0; i--) {
            joiners.get(i).group().addReserve(joiners.get(i));
        }
        reserves.stream()
                .sorted(Comparator.comparingInt(leaf -> leaf.placement().reserveOrder()))
                .forEach(leaf -> leaf.group().addReserve(leaf));
        List<Leaf> gaps = leaves.stream()
                .filter(Leaf::isLostActive)
                .sorted(Comparator.comparingInt(leaf -> leaf.placement().rank()))
                .filter(lost -> !replaceFromReserve(lost))
                .toList();
        if (!joiners.isEmpty()) {
            grow(Stream.concat(reserves.stream(), joiners.stream())
                    .filter(Leaf::isReserve)
                    .toList());
        }
        if (!gaps.isEmpty()) {
            backfill(gaps);
            shift();
        }
    }

    private static boolean replaceFromReserve(Leaf lost) {
        for (Group group = lost.group(); group != null && group.has(Layer.Flag.RESERVE); group = group.parent()) {
            Leaf reserve = group.takeReserve();
            if (reserve != null) {
                reserve.replace(lost, "steps in for rank " + lost.placement().initialRank());
                return true;
            }
        }
        return false;
    }

    /**
     * Activates as many of those that wait as the layers allow, with the next active ranks. The gaps still count as
     * taken, so no rank moves.
     */
    private void grow(List<Leaf> waiting) {
        root.countActive();
        int active = 1 + highest(Placement::activeRank);
        int reserves = 1 + highest(Placement::reserveOrder);
        for (Leaf leaf : waiting) {
            if (leaf.group().activateOne()) {
                leaf.activate(active++, leaf.joins() ? "" : "the world has grown");
            } else if (leaf.joins()) {
                leaf.deactivate(reserves++, FULL);
            }
        }
    }

    private int highest(ToIntFunction<Placement> number) {
        return leaves.stream().map(Leaf::placement).mapToInt(number).reduce(Placement.NONE, Math::max);
    }

    private static void backfill(List<Leaf> gaps) {
        Map<Group, List<Leaf>> gapsByDomain = new LinkedHashMap<>();
        for (Leaf gap : gaps) {
            Group domain = backfillDomain(gap);
            if (domain != null) {
                gapsByDomain
                        .computeIfAbsent(domain, absent -> new ArrayList<>())
                        .add(gap);
            }
        }
        gapsByDomain.forEach(TreeAssignment::backfill);
    }

    private static void backfill(Group domain, List<Leaf> gaps) {
        List<Leaf> leavesOfDomain = new ArrayList<>();
        domain.forEachLeaf(leavesOfDomain::add);
        List<Leaf> active = byActiveRank(leavesOfDomain);
        List<Leaf> last = active.subList(Math.max(0, active.size() - gaps.size()), active.size());
        for (int i = 0; i < last.size(); i++) {
            Leaf gap = gaps.get(i);
            last.get(i)
                    .replace(gap, "fills the place of rank " + gap.placement().initialRank());
        }
    }

    /**
     * Returns the largest group around the gap up to which all layers have the flag; null if the deepest one does not.
     */
    private static @Nullable Group backfillDomain(Leaf gap) {
        Group domain = null;
        for (Group group = gap.group(); group != null && group.has(Layer.Flag.BACKFILL); group = group.parent()) {
            domain = group;
        }
        return domain;
    }

    private void shift() {
        List<Leaf> active = byActiveRank(leaves);
        for (int i = 0; i < active.size(); i++) {
            active.get(i).activate(i, active.get(i).placement().reason());
        }
    }

    private static List<Leaf> byActiveRank(List<Leaf> leaves) {
        return leaves.stream()
                .filter(Leaf::isActive)
                .sorted(Comparator.comparingInt(leaf -> leaf.placement().activeRank()))
                .toList();
    }

    /** Returns the healthy ranks, numbered in the order of the leaves. */
    World result() {
        List<Placement> healthy = new ArrayList<>();
        for (Leaf leaf : leaves) {
            if (leaf.isHealthy()) {
                healthy.add(leaf.placement().withRank(healthy.size()));
            }
        }
        List<Placement> all = new ArrayList<>(strays);
        leaves.forEach(leaf -> all.add(leaf.placement()));
        return world.with(all).with(healthy);
    }
}

package dev.resiliency.inprocess.rank;

import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Assigns and activates ranks by a tree of groups, such as job, rack and host, so that substitutes are close.
 * Corresponds to nvidia-resiliency-ext's {@code Tree}. It is complete in itself, so it cannot be composed.
 *
 * <p>Initially, ranks are numbered in depth-first order, and each is activated unless one of its groups has reached its
 * {@link Layer#maxRanks}. When ranks are lost or join:
 *
 * <ol>
 *   <li>A group with fewer healthy ranks than its {@link Layer#minRanks} is dropped whole, from the leaves up. Ranks
 *       that join count: they may complete a group.
 *   <li>A lost active rank is replaced by a reserve: the most recently deactivated one of the nearest group that has
 *       one, or else, in the same group, the first rank that joins. The search goes up as long as layers have
 *       {@link Layer.Flag#RESERVE}.
 *   <li>If ranks join, the world grows at its end: first reserves, then the remaining ranks that join become active,
 *       each unless one of its groups has {@link Layer#maxRanks} active ranks or more. The others that join are
 *       reserves.
 *   <li>A place without a reserve is filled with the highest active rank of the largest group up to which all layers
 *       have {@link Layer.Flag#BACKFILL}.
 *   <li>The remaining gaps are closed: the active ranks after them shift to the left.
 *   <li>The world size filter may reduce the number of active ranks; those with the highest numbers become reserves.
 * </ol>
 *
 * <p>So an active rank keeps its number, unless a place before it stays empty or backfill moves it. Without ranks that
 * join, a reserve becomes active in the place of a lost rank only, so it needs {@link Layer.Flag#RESERVE}.
 *
 * <p>A reserve that steps in for a rank of another group may bring its own group above {@link Layer#maxRanks}.
 *
 * @param layers from the root down; all ranks must have the same key in the first one
 * @param worldSizeFilter maps the number of active ranks to one that the program can use, which must not be larger
 * @since 0.1.0
 */
public record Tree(List<Layer> layers, IntUnaryOperator worldSizeFilter) implements RankAssignment {

    /**
     * Checks that there is a layer.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Tree {
        layers = List.copyOf(layers);
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("a Tree needs at least one layer: begin with Layer.root()");
        }
    }

    /** Creates a tree without a world size filter. */
    public Tree(Layer... layers) {
        this(List.of(layers), IntUnaryOperator.identity());
    }

    /** Returns this tree with another world size filter. */
    public Tree worldSizeFilter(IntUnaryOperator newWorldSizeFilter) {
        return new Tree(layers, newWorldSizeFilter);
    }

    @Override
    public List<GroupKey> keys() {
        return layers.stream().map(Layer::key).toList();
    }

    @Override
    public World assign(World world) {
        TreeAssignment assignment = new TreeAssignment(layers, world);
        assignment.activateNew();
        assignment.dropSmallGroups();
        assignment.replaceLost();
        return new WorldSizeFilter(worldSizeFilter).assign(assignment.result());
    }

    /** Returns this tree with a limit before its world size filter, which so has the last word. */
    @Override
    public RankAssignment limitedTo(int maxRanks) {
        return new Composition(List.of(
                new Tree(layers.toArray(Layer[]::new)), new MaxRanks(maxRanks), new WorldSizeFilter(worldSizeFilter)));
    }
}

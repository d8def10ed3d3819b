package dev.resiliency.inprocess.rank;

import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Assigns and activates ranks by a tree of groups, such as job, rack and host, which keeps substitutes near.
 * Corresponds to nvidia-resiliency-ext's {@code Tree}. It does everything at once, so it cannot be composed.
 *
 * <p>At first, ranks are numbered in depth-first order, and each is activated if no group that it is in has its
 * {@link Layer#maxRanks} yet. When ranks are lost:
 *
 * <ol>
 *   <li>A group with fewer healthy ranks than its {@link Layer#minRanks} is dropped whole, from the leaves up.
 *   <li>A lost active rank is replaced by a reserve: the one that was deactivated last, of the nearest group that has
 *       one. The search goes up for as long as layers have {@link Layer.Flag#RESERVE}.
 *   <li>The place of one that found no reserve is filled with the active rank that has the highest number, of the
 *       largest group up to which all layers have {@link Layer.Flag#BACKFILL}.
 *   <li>What gaps remain are closed: the active ranks behind them shift to the left.
 *   <li>The world size filter may make the active ranks fewer; those with the highest numbers become reserves.
 * </ol>
 *
 * <p>A reserve that steps in for a rank of another group may bring its own group above {@link Layer#maxRanks}.
 *
 * @param layers from the root down; all ranks must have the same key in the first one
 * @param worldSizeFilter from the number of active ranks to the one that the program can use, which must not be larger
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

    /** A tree without a world size filter. */
    public Tree(Layer... layers) {
        this(List.of(layers), IntUnaryOperator.identity());
    }

    /** This tree with another world size filter. */
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
        return ActiveSize.limit(assignment.result(), worldSizeFilter, "the world size filter");
    }
}

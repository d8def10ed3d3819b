package dev.resiliency.inprocess.rank;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One layer of a {@link Tree}: how its ranks form groups, and what holds for each group. Corresponds to
 * nvidia-resiliency-ext's {@code Layer}.
 *
 * <pre>{@code Layer.by(GroupKey.hostName()).minRanks(8).maxRanks(8).flags(Flag.RESERVE)}</pre>
 *
 * @param key ranks with the same key are in one group, if they are also in one group of the layer above
 * @param minRanks a group with fewer healthy ranks is dropped whole; default 1
 * @param maxRanks so many ranks of a group are activated at first; default {@link #UNLIMITED}
 * @param flags whether the search for a substitute goes through this layer's groups; default none
 * @since 0.1.0
 */
public record Layer(GroupKey key, int minRanks, int maxRanks, Set<Flag> flags) {
    /** The {@code maxRanks} of a layer that has no limit. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if {@code minRanks} is negative, or {@code maxRanks} less than 1
     */
    public Layer {
        if (minRanks < 0 || maxRanks < 1) {
            throw new IllegalArgumentException("a layer needs minRanks >= 0 and maxRanks >= 1, not minRanks " + minRanks
                    + " and maxRanks " + maxRanks);
        }
        flags = Set.copyOf(flags);
    }

    /** The first layer of a tree: all ranks in one group. */
    public static Layer root() {
        return by(GroupKey.of("root"));
    }

    /** A layer whose groups are the ranks with the same key. */
    public static Layer by(GroupKey key) {
        return new Layer(key, 1, UNLIMITED, Set.of());
    }

    /** This layer with another minimum of healthy ranks in a group. */
    public Layer minRanks(int newMinRanks) {
        return new Layer(key, newMinRanks, maxRanks, flags);
    }

    /** This layer with another limit of active ranks in a group. */
    public Layer maxRanks(int newMaxRanks) {
        return new Layer(key, minRanks, newMaxRanks, flags);
    }

    /** This layer with these flags. */
    public Layer flags(Flag... newFlags) {
        Set<Flag> set = EnumSet.noneOf(Flag.class);
        set.addAll(List.of(newFlags));
        return new Layer(key, minRanks, maxRanks, set);
    }

    /**
     * How far a {@link Tree} looks for a rank that takes the place of a lost one. Corresponds to
     * nvidia-resiliency-ext's {@code LayerFlag}.
     */
    public enum Flag {
        /** In the groups of this layer a reserve may be sought that takes the place of a lost active rank. */
        RESERVE,
        /** In the groups of this layer the active rank with the highest number may move to the place of a lost one. */
        BACKFILL
    }
}

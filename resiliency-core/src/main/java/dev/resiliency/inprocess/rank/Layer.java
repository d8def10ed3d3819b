package dev.resiliency.inprocess.rank;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One layer of a {@link Tree}: the grouping of its ranks, and the rules for each group. Corresponds to
 * nvidia-resiliency-ext's {@code Layer}.
 *
 * <pre>{@code Layer.by(GroupKey.hostName()).minRanks(8).maxRanks(8).flags(Flag.RESERVE)}</pre>
 *
 * @param key ranks with the same key are in one group, if they are also in one group of the layer above
 * @param minRanks a group with fewer healthy ranks is dropped whole; default 1
 * @param maxRanks the number of active ranks of a group up to which ranks are activated, initially and when others
 *     join; default {@link #UNLIMITED}
 * @param flags how far the search for a substitute extends within this layer's groups; default none
 * @since 0.1.0
 */
public record Layer(GroupKey key, int minRanks, int maxRanks, Set<Flag> flags) {
    /** The {@code maxRanks} of a layer without a limit. */
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

    /** Returns the first layer of a tree: all ranks in one group. */
    public static Layer root() {
        return by(GroupKey.of("root"));
    }

    /** Returns a layer whose groups are the ranks with the same key. */
    public static Layer by(GroupKey key) {
        return new Layer(key, 1, UNLIMITED, Set.of());
    }

    /** Returns this layer with another minimum of healthy ranks in a group. */
    public Layer minRanks(int newMinRanks) {
        return new Layer(key, newMinRanks, maxRanks, flags);
    }

    /** Returns this layer with another limit of active ranks in a group. */
    public Layer maxRanks(int newMaxRanks) {
        return new Layer(key, minRanks, newMaxRanks, flags);
    }

    /** Returns this layer with these flags. */
    public Layer flags(Flag... newFlags) {
        Set<Flag> set = EnumSet.noneOf(Flag.class);
        set.addAll(List.of(newFlags));
        return new Layer(key, minRanks, maxRanks, set);
    }

    /**
     * Extends a {@link Tree}'s search for a rank that takes the place of a lost one. Corresponds to
     * nvidia-resiliency-ext's {@code LayerFlag}.
     */
    public enum Flag {
        /** A reserve, or a rank that joins, within the same group of this layer may replace a lost active rank. */
        RESERVE,
        /** The highest active rank within the same group of this layer may move to the place of a lost one. */
        BACKFILL
    }
}

package dev.resiliency.inprocess.rank;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A group of ranks in a {@link TreeAssignment}: a branch of the tree. */
final class Group {
    private final @Nullable Group parent;
    private final String key;
    private final Layer layer;
    /** In the order of their first ranks. Empty in the deepest layer. */
    private final Map<String, Group> children = new LinkedHashMap<>();
    /** The ranks in it, in the deepest layer. */
    private final List<Leaf> leaves = new ArrayList<>();
    /** All reserves below it, in the order in which they are taken. May still hold some that have stepped in. */
    private final Deque<Leaf> reserves = new ArrayDeque<>();

    private int activated;

    Group(@Nullable Group parent, String key, Layer layer) {
        this.parent = parent;
        this.key = key;
        this.layer = layer;
    }

    @Nullable
    Group parent() {
        return parent;
    }

    String key() {
        return key;
    }

    boolean has(Layer.Flag flag) {
        return layer.flags().contains(flag);
    }

    Group child(String childKey, Layer childLayer) {
        return children.computeIfAbsent(childKey, absent -> new Group(this, childKey, childLayer));
    }

    void add(Leaf leaf) {
        leaves.add(leaf);
    }

    /** Passes all leaves below to {@code action}, in depth-first order. */
    void forEachLeaf(Consumer<Leaf> action) {
        leaves.forEach(action);
        for (Group child : children.values()) {
            child.forEachLeaf(action);
        }
    }

    /** Counts the active ranks anew, here and in all groups below; returns how many they are. */
    int countActive() {
        activated = (int) leaves.stream().filter(Leaf::isActive).count();
        for (Group child : children.values()) {
            activated += child.countActive();
        }
        return activated;
    }

    /** Counts one more active rank if this group and all above it have room. */
    boolean activateOne() {
        for (Group group = this; group != null; group = group.parent) {
            if (group.activated >= group.layer.maxRanks()) {
                return false;
            }
        }
        for (Group group = this; group != null; group = group.parent) {
            group.activated++;
        }
        return true;
    }

    /**
     * Drops the groups that have too few healthy ranks, children before parents; returns how many ranks are left in
     * this one.
     */
    int dropSmallGroups() {
        int healthy = (int) leaves.stream().filter(Leaf::isHealthy).count();
        for (Group child : children.values()) {
            healthy += child.dropSmallGroups();
        }
        if (healthy >= layer.minRanks()) {
            return healthy;
        }
        String reason =
                "group " + key + " has " + healthy + " healthy of the " + layer.minRanks() + " ranks that it needs";
        forEachLeaf(leaf -> leaf.drop(reason));
        return 0;
    }

    /** Adds a reserve, which is taken before those added so far, here and to all groups above. */
    void addReserve(Leaf reserve) {
        for (Group group = this; group != null; group = group.parent) {
            group.reserves.push(reserve);
        }
    }

    /** Removes and returns the reserve that was added last; null if there is none. */
    @Nullable
    Leaf takeReserve() {
        Leaf reserve = reserves.poll();
        while (reserve != null && !reserve.isReserve()) {
            reserve = reserves.poll();
        }
        return reserve;
    }
}

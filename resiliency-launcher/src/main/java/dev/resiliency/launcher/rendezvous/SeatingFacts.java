package dev.resiliency.launcher.rendezvous;

import dev.resiliency.launcher.rendezvous.SeatingStage.Event;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What an agent knows in order to seat the nodes, in whatever stage. Immutable.
 *
 * @param self the arrival of this agent
 * @param nodes those that it has read, by arrival
 * @param reported those whose loss is written down
 * @param announced those with a seat of whose loss the listener knows
 * @param enoughSince when enough nodes were there for the cycle to begin, on the clock of {@link System#nanoTime}; null if they are
 *     not
 */
record SeatingFacts(
        int self,
        Limits limits,
        Roster roster,
        Map<Integer, Node> nodes,
        int cycle,
        IndexSet reported,
        IndexSet announced,
        @Nullable Long enoughSince) {

    /**
     * How many nodes a cycle has.
     *
     * @param most with how many it begins at once
     * @param room how many take part; more are spare nodes only if there is no limit, {@link Integer#MAX_VALUE}
     * @param lastCall how long it waits for more when the least number is there
     */
    record Limits(Terms terms, int most, int room, Duration lastCall) {
        /** Returns those that the options of the agents say. */
        static Limits of(NodeSettings settings) {
            return new Limits(settings.terms(), settings.most(), Integer.MAX_VALUE, settings.lastCall());
        }

        /** Returns those of a job that was scaled. */
        private Limits scaled(NodeRange range) {
            return new Limits(terms.with(range.min()), range.max(), range.max(), lastCall);
        }
    }

    static SeatingFacts of(int self, Limits limits) {
        return new SeatingFacts(self, limits, Roster.EMPTY, Map.of(), 0, IndexSet.empty(), IndexSet.empty(), null);
    }

    /** Returns what is known after an event. */
    SeatingFacts after(Event event) {
        if (event instanceof Event.RosterGrew grew) {
            return with(roster.with(grew.set(), grew.members()));
        }
        if (event instanceof Event.Scaled scaled) {
            return new SeatingFacts(
                    self, limits.scaled(scaled.range()), roster, nodes, cycle, reported, announced, null);
        }
        if (event instanceof Event.CycleOpened opened && opened.cycle() != cycle) {
            return new SeatingFacts(self, limits, roster, nodes, opened.cycle(), reported, announced, null);
        }
        if (event instanceof Event.Read read) {
            Map<Integer, Node> more = new HashMap<>(nodes);
            read.nodes().forEach(node -> more.put(node.arrival(), node));
            return new SeatingFacts(self, limits, roster, Map.copyOf(more), cycle, reported, announced, enoughSince);
        }
        return this;
    }

    SeatingFacts with(Roster newRoster) {
        return new SeatingFacts(self, limits, newRoster, nodes, cycle, reported, announced, enoughSince);
    }

    SeatingFacts withEnoughSince(@Nullable Long time) {
        return new SeatingFacts(self, limits, roster, nodes, cycle, reported, announced, time);
    }

    SeatingFacts withReported(IndexSet lost) {
        return new SeatingFacts(self, limits, roster, nodes, cycle, reported.union(lost), announced, enoughSince);
    }

    SeatingFacts withAnnounced(IndexSet lost) {
        return new SeatingFacts(self, limits, roster, nodes, cycle, reported, announced.union(lost), enoughSince);
    }

    /** Returns whether this agent has the lowest number of those that are there, and so seats the nodes. */
    boolean leads() {
        return roster.isLowest(self);
    }

    /** Returns those that have come and were not read. */
    IndexSet unknown() {
        return select(roster.came().stream().filter(each -> !nodes.containsKey(each)));
    }

    static IndexSet select(IntStream arrivals) {
        return IndexSet.of(arrivals.toArray());
    }

    Node node(int arrival) {
        Node node = nodes.get(arrival);
        if (node == null) {
            throw new IllegalStateException("node " + arrival + " is not known");
        }
        return node;
    }

    List<Node> nodes(IndexSet arrivals) {
        return arrivals.stream().mapToObj(this::node).toList();
    }
}

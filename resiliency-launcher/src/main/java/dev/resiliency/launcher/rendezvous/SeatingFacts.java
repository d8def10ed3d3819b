package dev.resiliency.launcher.rendezvous;

import dev.resiliency.launcher.rendezvous.SeatingStage.Event;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What an agent knows in order to seat the nodes, in whatever stage. Immutable.
 *
 * @param self the arrival of this agent
 * @param nodes those that it has read, by arrival
 * @param cycle in which this agent takes part
 * @param called the latest cycle that was called
 * @param reported those whose loss is written down
 * @param announced those with a seat of whose loss the listener knows
 * @param enoughSince when enough nodes were there for the cycle to begin, on the clock of {@link System#nanoTime}; null if they are
 *     not
 * @param electorate who votes; null if the job ends with its store
 * @param isComplete whether the ranks have completed the job, and their agents may not all know it
 */
record SeatingFacts(
        int self,
        Limits limits,
        Roster roster,
        Map<Integer, Node> nodes,
        int cycle,
        int called,
        IndexSet reported,
        IndexSet announced,
        @Nullable Long enoughSince,
        @Nullable Electorate electorate,
        boolean isComplete) {

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
        return new SeatingFacts(
                self, limits, Roster.EMPTY, Map.of(), 0, 0, IndexSet.empty(), IndexSet.empty(), null, null, false);
    }

    /** Returns what is known after an event. */
    SeatingFacts after(Event event) {
        if (event instanceof Event.RosterGrew grew) {
            return with(roster.with(grew.set(), grew.members()));
        }
        if (event instanceof Event.Scaled scaled) {
            return with(draft -> {
                draft.limits = limits.scaled(scaled.range());
                draft.enoughSince = null;
            });
        }
        if (event instanceof Event.CycleOpened opened && opened.cycle() != cycle) {
            return with(draft -> {
                draft.cycle = opened.cycle();
                draft.enoughSince = null;
            });
        }
        if (event instanceof Event.Read read) {
            Map<Integer, Node> more = new HashMap<>(nodes);
            read.nodes().forEach(node -> more.put(node.arrival(), node));
            return with(draft -> draft.nodes = Map.copyOf(more));
        }
        if (event instanceof Event.CycleCalled next) {
            return with(draft -> draft.called = next.cycle());
        }
        if (event instanceof Event.WorldDecided decided) {
            return with(new Electorate(decided.world(), false));
        }
        if (event instanceof Event.WorldAgreed agreed
                && electorate != null
                && electorate.world() != null
                && electorate.world().number() == agreed.number()) {
            return with(new Electorate(electorate.world(), true));
        }
        if (event instanceof Event.JobIsComplete) {
            return with(draft -> draft.isComplete = true);
        }
        return this;
    }

    SeatingFacts with(Electorate known) {
        return with(draft -> draft.electorate = known);
    }

    SeatingFacts with(Roster newRoster) {
        return with(draft -> draft.roster = newRoster);
    }

    SeatingFacts withEnoughSince(@Nullable Long time) {
        return with(draft -> draft.enoughSince = time);
    }

    SeatingFacts withReported(IndexSet lost) {
        return with(draft -> draft.reported = reported.union(lost));
    }

    SeatingFacts withAnnounced(IndexSet lost) {
        return with(draft -> draft.announced = announced.union(lost));
    }

    private SeatingFacts with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new SeatingFacts(
                self,
                draft.limits,
                draft.roster,
                draft.nodes,
                draft.cycle,
                draft.called,
                draft.reported,
                draft.announced,
                draft.enoughSince,
                draft.electorate,
                draft.isComplete);
    }

    /** The facts while some of them change. */
    private static final class Draft {
        private Limits limits;
        private Roster roster;
        private Map<Integer, Node> nodes;
        private int cycle;
        private int called;
        private IndexSet reported;
        private IndexSet announced;
        private @Nullable Long enoughSince;
        private @Nullable Electorate electorate;
        private boolean isComplete;

        Draft(SeatingFacts facts) {
            limits = facts.limits;
            roster = facts.roster;
            nodes = facts.nodes;
            cycle = facts.cycle;
            called = facts.called;
            reported = facts.reported;
            announced = facts.announced;
            enoughSince = facts.enoughSince;
            electorate = facts.electorate;
            isComplete = facts.isComplete;
        }
    }

    /** Returns whether this agent has the lowest number of those that are there, and so seats the nodes. */
    boolean leads() {
        return roster.isLowest(self);
    }

    /** Returns those that have come and were not read. */
    IndexSet unknown() {
        return select(roster.came().stream().filter(each -> !nodes.containsKey(each)));
    }

    /** Returns whether a lost node keeps the job from completing: all start again if the policy says so. */
    boolean needsAll() {
        return limits.terms().policy().equals(Scaling.HARD) && !isComplete;
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

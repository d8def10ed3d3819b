package dev.resiliency.launcher.rendezvous;

import dev.resiliency.launcher.rendezvous.SeatingFacts.Limits;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an agent does so that each node gets a seat; only the lowest does more than follow. Pure: an event leads to the next stage
 * and to actions, which {@link SeatCoordinator} performs. In {@link Reading} and {@link Deciding} one request is under way, and
 * only its answer ends the stage.
 */
sealed interface SeatingStage {

    /** What happens to the agent. */
    sealed interface Event {
        /** A set of the roster has more members. */
        record RosterGrew(String set, IndexSet members) implements Event {}

        /** This cycle was called. */
        record CycleCalled(int cycle) implements Event {}

        /** This agent takes part in this cycle from now on. */
        record CycleOpened(int cycle) implements Event {}

        /** So many nodes take part from now on. */
        record Scaled(NodeRange range) implements Event {}

        /** Time has passed. */
        record Due() implements Event {}

        /** Who votes from now on, if half of those before accept it. */
        record WorldDecided(AgentWorld world) implements Event {}

        /** Half of those before have accepted it. */
        record WorldAgreed(int number) implements Event {}

        /** The ranks have completed the job. */
        record JobIsComplete() implements Event {}

        /**
         * The answer to {@link Action.Read}.
         *
         * @param seats null if they were not asked for
         */
        record Read(List<Node> nodes, @Nullable SeatTable seats) implements Answer {}

        /**
         * The answer to {@link Action.Decide}, {@link Action.DecideWorld} and {@link Action.EndJob}.
         *
         * @param stands false if another agent was first
         */
        record Decided(boolean stands) implements Answer {}
    }

    /** The answer to a request. */
    sealed interface Answer extends Event {}

    /** What the agent is to do. */
    sealed interface Action {
        /** Read the nodes that are not known, and the seats of this cycle if they are not. */
        record Read(int cycle, boolean seats) implements Action {}

        /**
         * Give nodes seats, unless another agent has decided since the table was read.
         *
         * @param seats by arrival
         * @param waiting those that get none until there is room
         * @param gone who was gone when this was decided
         */
        record Decide(SeatTable after, Map<Integer, Seat> seats, IndexSet waiting, IndexSet gone) implements Action {
            /** Returns whether the cycle begins with these seats. */
            boolean begins() {
                return after.seats().isEmpty();
            }
        }

        /**
         * Let these vote on where the job lives, unless another agent has decided since.
         *
         * @param before null if they are the first
         */
        record DecideWorld(@Nullable AgentWorld before, IndexSet members) implements Action {}

        /** End the job, as it has completed, unless a cycle was called or a node was seated since the table was read. */
        record EndJob(SeatTable table) implements Action {}

        /** Write down that a node is lost, unless another agent has. */
        record ReportLost(Node node) implements Action {}

        /** Tell the listener that a node with a seat is gone. */
        record AnnounceGone(Node node, String fate) implements Action {}

        /** Tell the listener that a node was seated that has come when the cycle had begun. */
        record AnnounceSeated(Node node, Seat seat) implements Action {}
    }

    /** Where an event leads. */
    record Step(SeatingFacts facts, SeatingStage stage, List<Action> actions) {}

    /** Takes the step to which an event leads. */
    static Step step(SeatingFacts before, SeatingStage stage, Event event, long now) {
        return stage.on(event, before.after(event), now);
    }

    /**
     * Takes a step.
     *
     * @param facts what is known after the event
     * @throws IllegalStateException if this stage has not asked for the answer that comes
     */
    default Step on(Event event, SeatingFacts facts, long now) {
        refuseAnswer(event);
        return look(facts, table(), now);
    }

    /** An answer that comes in a stage that has asked for none, or for another, is a defect. */
    default void refuseAnswer(Event event) {
        if (event instanceof Answer) {
            throw new IllegalStateException(event + " in the stage " + this);
        }
    }

    /** Returns the seats of the cycle; null if they are not known. */
    @Nullable
    SeatTable table();

    /** A lower agent seats the nodes (rule 2). */
    record Following() implements SeatingStage {
        @Override
        public @Nullable SeatTable table() {
            return null;
        }
    }

    /** Reads what is not known (rule 3). */
    record Reading(@Nullable SeatTable table) implements SeatingStage {
        @Override
        public Step on(Event event, SeatingFacts facts, long now) {
            if (event instanceof Event.Read read) {
                return look(facts, read.seats() == null ? table : read.seats(), now);
            }
            refuseAnswer(event);
            return new Step(facts, this, List.of());
        }
    }

    /**
     * The cycle has not begun (rule 5): waits for enough nodes, then for the end of their earlier processes, then some time for more nodes.
     *
     * @param dueAt until when, on the clock of {@link System#nanoTime}; null while not enough are ready
     */
    record LastCall(SeatTable table, @Nullable Long dueAt) implements SeatingStage {}

    /** Has decided, and awaits whether that stands (rule 4). */
    record Deciding(Action.Decide decision) implements SeatingStage {
        @Override
        public SeatTable table() {
            return decision.after();
        }

        @Override
        public Step on(Event event, SeatingFacts facts, long now) {
            if (!(event instanceof Event.Decided decided)) {
                refuseAnswer(event);
                return new Step(facts, this, List.of());
            }
            if (!decided.stands()) {
                return look(facts, null, now);
            }
            Step next = look(
                    facts.with(facts.roster().with(Keys.WAITING, decision.waiting())),
                    table().with(decision.seats()),
                    now);
            List<Action> actions = new ArrayList<>();
            if (!decision.begins()) {
                decision.seats()
                        .forEach((late, seat) -> actions.add(new Action.AnnounceSeated(facts.node(late), seat)));
            }
            actions.addAll(next.actions());
            return new Step(next.facts(), next.stage(), actions);
        }
    }

    /** All who stay have a seat, or wait. */
    record Seated(SeatTable table) implements SeatingStage {}

    /** Has decided who votes, and awaits whether that stands (rule 12). */
    record DecidingWorld(SeatTable table) implements SeatingStage {
        @Override
        public Step on(Event event, SeatingFacts facts, long now) {
            if (!(event instanceof Event.Decided)) {
                refuseAnswer(event);
                return new Step(facts, this, List.of());
            }
            return look(facts, table, now);
        }
    }

    /** Waits until half of those before have accepted who votes: nothing is decided meanwhile (rule 12). */
    record Agreeing(SeatTable table) implements SeatingStage {}

    /** Has ended the job, as it has completed, unless that does not stand. */
    record Completing(SeatTable table) implements SeatingStage {
        @Override
        public Step on(Event event, SeatingFacts facts, long now) {
            if (!(event instanceof Event.Decided decided)) {
                refuseAnswer(event);
                return new Step(facts, this, List.of());
            }
            return decided.stands() ? new Step(facts, this, List.of()) : look(facts, null, now);
        }
    }

    /** Decides what to do, while no request is under way. */
    private static Step look(SeatingFacts facts, @Nullable SeatTable table, long now) {
        if (!facts.leads()) {
            return new Step(facts, new Following(), List.of());
        }
        List<Action> actions = new ArrayList<>();
        IndexSet lost = SeatingFacts.select(
                facts.roster().gone().minus(facts.reported()).stream().filter(facts.nodes()::containsKey));
        facts.nodes(lost).forEach(node -> actions.add(new Action.ReportLost(node)));
        SeatingFacts reported = facts.withReported(lost);
        SeatTable current = table == null
                        || table.cycle() != facts.cycle()
                        || table.number() < facts.roster().tables()
                ? null
                : table;
        if (current == null || !facts.unknown().isEmpty()) {
            actions.add(new Action.Read(facts.cycle(), current == null));
            return new Step(reported, new Reading(current), actions);
        }
        Electorate electorate = facts.electorate();
        if (electorate != null && !electorate.isAgreed()) {
            return new Step(reported, new Agreeing(current), actions);
        }
        if (electorate != null && electorate.isOutdated(facts.roster().living())) {
            return decideWorld(reported, electorate, current, actions);
        }
        return current.seats().isEmpty()
                ? begin(reported, current, now, actions)
                : continueCycle(reported, current, actions);
    }

    /** Seats all nodes, if it is time (rule 5). */
    private static Step begin(SeatingFacts facts, SeatTable table, long now, List<Action> actions) {
        Limits limits = facts.limits();
        List<Node> there = facts.nodes(facts.roster().staying());
        if (!Seating.isEnough(limits.terms(), there)) {
            return new Step(facts.withEnoughSince(null), new LastCall(table, null), actions);
        }
        long since = facts.enoughSince() == null ? now : facts.enoughSince();
        SeatingFacts enough = facts.withEnoughSince(since);
        // Those that are to leave get no seat, but their processes must have ended, too.
        if (!facts.roster().isReady(facts.cycle())) {
            return new Step(enough, new LastCall(table, null), actions);
        }
        Duration rest = limits.lastCall().minusNanos(now - since);
        if (there.size() < limits.most() && rest.compareTo(Duration.ZERO) > 0) {
            return new Step(enough, new LastCall(table, now + rest.toNanos()), actions);
        }
        Electorate electorate = facts.electorate();
        if (electorate != null && electorate.world() == null) {
            return decideWorld(enough, electorate, table, actions);
        }
        Map<Integer, Seat> seats = Seating.ofRound(facts.cycle(), limits.terms(), limits.room(), there);
        return decide(
                enough,
                new Action.Decide(table, seats, IndexSet.empty(), facts.roster().gone()),
                actions);
    }

    /** Says who is gone, and seats those that have come since the cycle began, unless the job has completed (rules 6, 7 and 11). */
    private static Step continueCycle(SeatingFacts facts, SeatTable table, List<Action> actions) {
        Roster roster = facts.roster();
        IndexSet completed = roster.completed(table.cycle());
        IndexSet gone = SeatingFacts.select(
                roster.gone().minus(facts.announced()).minus(completed).stream().filter(table.seats()::containsKey));
        facts.nodes(gone).forEach(node -> actions.add(new Action.AnnounceGone(node, roster.fateOf(node.arrival()))));
        SeatingFacts announced = facts.withAnnounced(gone);
        if (hasCompleted(announced, table)) {
            actions.add(new Action.EndJob(table));
            return new Step(announced, new Completing(table), actions);
        }

        IndexSet late = SeatingFacts.select(
                roster.staying().stream().filter(each -> !table.seats().containsKey(each)));
        if (late.isEmpty()) {
            return new Step(announced, new Seated(table), actions);
        }
        int room = facts.limits().room() - (roster.staying().size() - late.size());
        Map<Integer, Seat> seats = Seating.ofLateNodes(
                facts.limits().terms().segment(),
                facts.nodes(late),
                room,
                table.byNode(facts.nodes()),
                roster.gone().stream().boxed().collect(Collectors.toSet()));
        IndexSet waiting =
                SeatingFacts.select(late.minus(roster.waiting()).stream().filter(each -> !seats.containsKey(each)));
        return seats.isEmpty() && waiting.isEmpty()
                ? new Step(announced, new Seated(table), actions)
                : decide(announced, new Action.Decide(table, seats, waiting, roster.gone()), actions);
    }

    /** Rule 11: returns whether the ranks have completed of all nodes that are there, and also of the lost if all are needed. */
    private static boolean hasCompleted(SeatingFacts facts, SeatTable table) {
        IndexSet completed = facts.roster().completed(table.cycle());
        IndexSet open = SeatingFacts.select(table.seats().keySet().stream().mapToInt(Integer::intValue))
                .minus(completed);
        IndexSet awaited = facts.needsAll() ? open : open.minus(facts.roster().gone());
        return !completed.isEmpty() && awaited.isEmpty() && facts.called() <= table.cycle();
    }

    private static Step decideWorld(SeatingFacts facts, Electorate electorate, SeatTable table, List<Action> actions) {
        actions.add(new Action.DecideWorld(electorate.world(), facts.roster().living()));
        return new Step(facts, new DecidingWorld(table), actions);
    }

    private static Step decide(SeatingFacts facts, Action.Decide decision, List<Action> actions) {
        actions.add(decision);
        return new Step(facts, new Deciding(decision), actions);
    }
}

package dev.resiliency.launcher.rendezvous;

import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.launcher.rendezvous.SeatingFacts.Limits;
import dev.resiliency.launcher.rendezvous.SeatingStage.Action;
import dev.resiliency.launcher.rendezvous.SeatingStage.Event;
import dev.resiliency.launcher.rendezvous.SeatingStage.Step;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An agent among those of its job, under the number of its arrival: announces itself, watches what concerns it, and performs what
 * {@link SeatingStage} decides. Confined to the thread of the agent.
 */
final class SeatCoordinator {
    static final String COMPLETED = "all ranks have completed";

    private final SessionStore store;
    private final NodeSettings settings;
    private final int arrival;
    private final EventLog events;
    private final NodeListener listener;
    private final AgentThread thread;
    private final SeatRequest seat;
    /** Null if the job ends with its store. */
    private final @Nullable AgentVoter voter;
    /** Null if this agent is no voter. */
    private final @Nullable AgentWorlds worlds;

    private SeatingFacts facts;
    private SeatingStage stage = new SeatingStage.Following();
    /** The latest cycle that was called. */
    private int called;
    /** The cycle in which this agent wants a seat, or has one. */
    private int wanted;

    /** Whether this agent watches who comes and what is decided: not before it leads. */
    private boolean watchesJob;
    /** The latest cycle in which this agent watches who is ready; -1 for none. */
    private int watchedReady = -1;
    /** Whether it comes under the number that it had before the store was founded anew, and may not be awaited any more. */
    private boolean returns;
    /** Null until this agent leaves. */
    private @Nullable Departure departure;

    SeatCoordinator(
            SessionStore session,
            SessionStore store,
            NodeSettings settings,
            int arrival,
            EventLog events,
            NodeListener listener,
            AgentThread thread,
            @Nullable AgentVoter voter) {
        this.voter = voter;
        this.store = store;
        this.settings = settings;
        this.arrival = arrival;
        this.events = events;
        this.listener = listener;
        this.thread = thread;
        seat = new SeatRequest(store, settings, thread, listener, arrival);
        SeatingFacts none = SeatingFacts.of(arrival, Limits.of(settings));
        facts = voter == null ? none : none.with(Electorate.NONE);
        if (voter != null) {
            voter.arrive(arrival);
        }
        worlds = voter == null
                ? null
                : new AgentWorlds(
                        session,
                        store,
                        arrival,
                        thread,
                        voter,
                        this::handle,
                        this::lookWhetherToLeave,
                        () -> roster().gone());
    }

    int arrival() {
        return arrival;
    }

    /** Returns whether this agent has the lowest number of those that are there. */
    boolean leads() {
        return facts.leads();
    }

    Roster roster() {
        return facts.roster();
    }

    /** Returns how long until {@link #tick} is due; empty if nothing is. */
    Optional<Duration> untilTick() {
        return stage instanceof SeatingStage.LastCall lastCall && lastCall.dueAt() != null
                ? Optional.of(Duration.ofNanos(Math.max(0, lastCall.dueAt() - System.nanoTime())))
                : Optional.empty();
    }

    /** Does what is due. */
    void tick() {
        handle(new Event.Due());
    }

    private void handle(Event event) {
        Step step = SeatingStage.step(facts, stage, event, System.nanoTime());
        facts = step.facts();
        stage = step.stage();
        step.actions().forEach(this::perform);
    }

    private void perform(Action action) {
        if (action instanceof Action.Read read) {
            read(read);
        } else if (action instanceof Action.Decide decision) {
            decide(decision);
        } else if (action instanceof Action.DecideWorld decision) {
            decideWorld(decision);
        } else if (action instanceof Action.EndJob end) {
            endJob(end.table());
        } else if (action instanceof Action.ReportLost lost) {
            reportLost(lost.node());
        } else if (action instanceof Action.AnnounceGone gone) {
            listener.nodeGone(nameOf(gone.node()) + " " + gone.fate());
        } else if (action instanceof Action.AnnounceSeated seated) {
            listener.noted("node %s has joined, as group rank %d"
                    .formatted(seated.node(), seated.seat().group()));
        }
    }

    private void read(Action.Read read) {
        if (!watchesJob) {
            watchesJob = true;
            store.send(List.of(watch(Keys.CAME), watch(Keys.TABLES)));
        }
        if (watchedReady < read.cycle()) {
            watchedReady = read.cycle();
            store.send(List.of(watch(Keys.ready(read.cycle())), watch(Keys.completed(read.cycle()))));
        }
        if (read.seats()) {
            thread.then(SeatReader.read(store, read.cycle()), this::readNodes);
        } else {
            readNodes(null);
        }
    }

    private void readNodes(@Nullable SeatTable seats) {
        thread.then(Nodes.read(store, facts.unknown()), nodes -> handle(new Event.Read(nodes, seats)));
    }

    /** Rules 4 and 5: of the decisions that were taken from the same table, one stands. */
    private void decide(Action.Decide decision) {
        SeatTable table = decision.after();
        Map<String, Value> values = new LinkedHashMap<>();
        decision.seats().forEach((number, each) -> values.put(Keys.seat(table.cycle(), number), Value.of(each.text())));
        Batch batch = store.batch();
        batch.add(new Operation.Confirm(Keys.TABLES, table.decided()));
        if (decision.begins()) {
            batch.add(new Operation.Confirm(Keys.GONE, decision.gone()));
        }
        batch.add(new Operation.AddToSet(Keys.TABLES, IndexSet.of(table.number())));
        batch.add(new Operation.MultiSet(values));
        if (!decision.waiting().isEmpty()) {
            batch.add(new Operation.AddToSet(Keys.WAITING, decision.waiting()));
        }
        if (decision.begins()) {
            batch.add(new Operation.Delete(Keys.ready(table.cycle() - 1)));
            batch.add(new Operation.Delete(Keys.completed(table.cycle() - 1)));
            batch.add(new Operation.Delete(Keys.outcome(table.cycle() - 1)));
            batch.add(new Operation.DeleteAll(Keys.seats(table.cycle() - 1)));
        }
        thread.then(batch.submit(store.timeout()), results -> handle(new Event.Decided(results.allRan())));
    }

    private void decideWorld(Action.DecideWorld decision) {
        if (worlds != null && departure == null) {
            worlds.decide(decision);
        }
    }

    private void lookWhetherToLeave() {
        if (departure != null) {
            departure.look();
        }
    }

    /** Returns whether the others can go on without this agent, and the store that it may host. */
    boolean isReplaced() {
        Electorate electorate = facts.electorate();
        AgentWorld world = electorate == null || !electorate.isAgreed() ? null : electorate.world();
        return world != null
                && !world.members().contains(arrival)
                && !world.successors().isEmpty();
    }

    /** Rule 13: whoever votes tells its agent that the job has completed once half have accepted that. */
    private void ended(Value end) {
        Electorate electorate = facts.electorate();
        AgentWorld world = electorate == null ? null : electorate.world();
        if (worlds == null || world == null || !end.text().startsWith("0 ")) {
            readEnd(end, listener);
        } else {
            worlds.complete(world, () -> readEnd(end, listener));
        }
    }

    /** Rule 11: of this and the call of the next cycle, one stands. */
    private void endJob(SeatTable table) {
        Batch batch = store.batch();
        batch.add(new Operation.Confirm(Keys.TABLES, table.decided()));
        batch.add(Cycles.complete(table.cycle()));
        batch.add(new Operation.CompareAndSet(Keys.END, Value.empty(), Value.of("0 " + COMPLETED)));
        thread.then(batch.submit(store.timeout()), results -> {
            if (results.allRan()) {
                thread.whenDone(events.recordOnce(Keys.END, JobEvent.Kind.JOB_ENDED, COMPLETED), (done, failure) -> {});
            }
            handle(new Event.Decided(results.allRan()));
        });
    }

    /** Says that the ranks of this node have completed in a cycle. */
    void complete(int cycle) {
        store.send(List.of(new Operation.AddToSet(Keys.completed(cycle), IndexSet.of(arrival))));
    }

    /** Notes that the ranks have completed the job, and others may not know it. */
    void jobIsComplete() {
        handle(new Event.JobIsComplete());
    }

    private void reportLost(Node node) {
        thread.whenDone(
                events.recordOnce(Keys.loss(node.arrival()), JobEvent.Kind.NODE_LOST, nameOf(node) + " is lost"),
                (isFirst, failure) -> {
                    if (Boolean.TRUE.equals(isFirst)) {
                        listener.nodeLost(node.name());
                    }
                });
    }

    /** An agent does not say of its own node that it is lost. */
    private String nameOf(Node node) {
        return node.name().equals(settings.name()) ? "the former agent of node " + node : "node " + node;
    }

    /**
     * Tells the others that this agent is there, and waits for a seat in the current cycle.
     *
     * @param former the arrival of this node before, if its agent has not ended; empty for none
     * @param goesOn whether it was there before the store was founded anew
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the event is for people
    void announce(Node self, IndexSet former, boolean goesOn) {
        returns = goesOn;
        Batch batch = store.batch();
        if (!settings.hostsStore()) { // on a starved host, that could end although both live
            batch.add(new Operation.Lease(settings.lease()));
        }
        batch.add(new Operation.LastWill(List.of(new Operation.AddToSet(Keys.GONE, IndexSet.of(arrival)))));
        if (!former.isEmpty()) { // an empty set would be pushed to whoever watches it
            batch.add(new Operation.AddToSet(Keys.GONE, former));
        }
        StoreSeat server = voter == null ? null : voter.seat();
        if (server != null) {
            batch.add(new Operation.Set(Keys.server(arrival), Value.of(server.write())));
        }
        batch.add(new Operation.AddToSet(Keys.CAME, IndexSet.of(arrival)));
        Handle<IndexSet> done = batch.add(new Operation.Members(Keys.DONE));
        Handle<IndexSet> gone = batch.add(new Operation.Members(Keys.GONE));
        Handle<IndexSet> leaving = batch.add(new Operation.Members(Keys.LEAVING));
        Handle<IndexSet> came = batch.add(new Operation.Members(Keys.CAME));
        Handle<Value> range = batch.add(Keys.peek(Keys.RANGE));
        Handle<Value> current = batch.add(Keys.peek(Keys.CYCLE));
        addWatches(batch);
        thread.then(batch.submit(store.timeout()), results -> {
            if (!goesOn) {
                events.record(JobEvent.Kind.NODE_CAME, "node %s has joined".formatted(self));
            }
            if (results.get(range).size() > 0) {
                handle(new Event.Scaled(NodeRange.read(results.get(range).text())));
            }
            called = Math.max(called, Cycles.number(results.get(current)));
            handle(new Event.CycleCalled(called));
            handle(new Event.CycleOpened(called));
            learn(Keys.DONE, results.get(done));
            learn(Keys.GONE, results.get(gone));
            returns = false;
            learn(Keys.LEAVING, results.get(leaving));
            learn(Keys.CAME, results.get(came)); // the last: now this agent may lead
            awaitSeat(called);
        });
    }

    private void addWatches(Batch batch) {
        batch.add(new Operation.Watch(Keys.END, thread.values(this::ended)));
        batch.add(watch(Keys.LEAVING)); // before the cycle that it may come with
        batch.add(new Operation.Watch(
                Keys.RANGE, thread.values(range -> handle(new Event.Scaled(NodeRange.read(range.text()))))));
        batch.add(watch(Keys.WAITING));
        batch.add(new Operation.Watch(Keys.CYCLE, thread.values(this::cycleCalled)));
        batch.add(new Operation.Watch(Keys.drain(arrival), thread.values(reason -> listener.drained(reason.text()))));
        batch.add(watch(Keys.LEFT));
        batch.add(watch(Keys.GONE));
        if (worlds != null) {
            worlds.addWatches(batch, listener);
        }
    }

    /** Returns the watch of a set of the roster. */
    Operation<?> watch(String set) {
        return new Operation.Watch(set, thread.members(more -> learn(set, more)));
    }

    /** A set has more members than this agent knew. */
    void learn(String set, IndexSet more) {
        if (more.contains(arrival)) {
            learnOfItself(set);
        }
        handle(new Event.RosterGrew(set, more));
        if (worlds != null && set.equals(Keys.GONE)) {
            worlds.lookWhoIsLeft();
        }
        lookWhetherToLeave();
    }

    private void learnOfItself(String set) {
        if (set.equals(Keys.WAITING)) {
            seat.letWait();
        } else if (set.equals(Keys.GONE) && returns && store.address() != null) {
            returns = false;
            thread.leave(); // it comes again, under another number
            listener.moved(store.address());
        } else if (set.equals(Keys.GONE)) {
            thread.cutOff("this agent counts as dead: the store has heard nothing of it for "
                    + settings.lease().toSeconds() + " s, or another agent with the node name '" + settings.name()
                    + "' has joined");
        }
    }

    /** Tells the listener how the job has ended. */
    static void readEnd(Value end, NodeListener listener) {
        String[] fields = end.text().split(" ", 2);
        listener.jobEnded(Integer.parseInt(fields[0]), fields[1]);
    }

    private void cycleCalled(Value value) {
        int number = Cycles.number(value);
        if (number > called) {
            called = number;
            handle(new Event.CycleCalled(number));
            listener.cycleCalled(number, Cycles.reason(value));
        }
    }

    /** Waits for the seat of this node in a cycle. */
    void awaitSeat(int cycle) {
        wanted = cycle;
        handle(new Event.CycleOpened(cycle));
        seat.make(cycle);
    }

    /** Finds or says where rank 0 may host a store: see {@link NodeSession#master}. */
    void master(Seat seated, Master own, Consumer<Master> result) {
        Batch batch = store.batch();
        if (seated.group() == 0) {
            batch.add(new Operation.Delete(Keys.master(seated.cycle() - 1)));
            batch.add(new Operation.Set(Keys.master(seated.cycle()), Value.of(own.text())));
        }
        Handle<Value> master = batch.add(new Operation.Get(Keys.master(seated.cycle())));
        thread.whenDone(batch.submit(settings.timeout()), (results, failure) -> {
            if (seated.cycle() < wanted) {
                return; // the next cycle was called meanwhile
            }
            if (failure == null) {
                result.accept(Master.read(results.get(master).text()));
            } else {
                thread.failed("the agent of group rank 0 has not said where its rank may host a store: ", failure);
            }
        });
    }

    /** Leaves the job: see {@link NodeSession#leave}. */
    void leave(boolean hasCompleted, Stay stay) {
        seat.withdraw();
        if (hasCompleted) {
            complete(wanted);
        }
        departure = new Departure(store, settings, this, listener, thread);
        departure.leave(hasCompleted, stay);
    }
}

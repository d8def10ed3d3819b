package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An agent that is there, under the number of its arrival: announces itself, and watches what concerns it. Confined to the thread of
 * the agent.
 */
final class Presence {
    private final SessionStore store;
    private final NodeSettings settings;
    private final int arrival;
    private final EventLog events;
    private final NodeListener listener;
    private final Answers answers;
    private final Arrivals arrivals = new Arrivals();
    private final Usher usher;
    private final SeatRequest seat;
    private int cycle;
    /** The cycle in which this agent wants a seat, or has one. */
    private int wanted;

    /** Null until this agent leaves. */
    private @Nullable Farewell farewell;

    Presence(
            SessionStore store,
            NodeSettings settings,
            int arrival,
            EventLog events,
            NodeListener listener,
            Answers answers) {
        this.store = store;
        this.settings = settings;
        this.arrival = arrival;
        this.events = events;
        this.listener = listener;
        this.answers = answers;
        usher = new Usher(store, settings, arrival, arrivals, events, listener, answers);
        seat = new SeatRequest(store, settings, answers, listener, arrival);
    }

    int arrival() {
        return arrival;
    }

    Usher usher() {
        return usher;
    }

    /**
     * Tells the others that this agent is there, and waits for a seat in the current cycle.
     *
     * @param former the arrival of this node before; empty if there was none
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the event is for people
    void announce(Node self, Value former) {
        Batch batch = store.batch();
        if (!settings.hostsStore()) { // on a starved host, that could end although both live
            batch.add(new Operation.Lease(settings.lease()));
        }
        batch.add(new Operation.LastWill(List.of(new Operation.AddToSet(Keys.GONE, IndexSet.of(arrival)))));
        batch.add(new Operation.AddToSet(Keys.CAME, IndexSet.of(arrival)));
        Handle<IndexSet> came = batch.add(new Operation.Members(Keys.CAME));
        Handle<IndexSet> done = batch.add(new Operation.Members(Keys.DONE));
        Handle<IndexSet> gone = batch.add(new Operation.Members(Keys.GONE));
        Handle<IndexSet> leaving = batch.add(new Operation.Members(Keys.LEAVING));
        Handle<Value> range = batch.add(Keys.peek(Keys.RANGE));
        Handle<Value> current = batch.add(Keys.peek(Keys.CYCLE));
        addWatches(batch);
        answers.then(batch.submit(store.timeout()), results -> {
            arrivals.addCame(results.get(came));
            arrivals.addDone(results.get(done));
            arrivals.addGone(results.get(gone));
            arrivals.addLeaving(results.get(leaving));
            if (results.get(range).size() > 0) {
                usher.scale(NodeRange.read(results.get(range).text()));
            }
            cycle = Math.max(cycle, Cycles.number(results.get(current)));
            events.record(JobEvent.Kind.NODE_CAME, "node %s has come".formatted(self));
            if (former.size() > 0) {
                replace(Integer.parseInt(former.text()));
            }
            awaitSeat(cycle);
        });
    }

    private void addWatches(Batch batch) {
        batch.add(new Operation.Watch(Keys.END, answers.values(end -> readEnd(end, listener))));
        // Before the cycle that it may come with.
        batch.add(new Operation.Watch(Keys.LEAVING, answers.members(more -> {
            arrivals.addLeaving(more);
            usher.look();
        })));
        batch.add(new Operation.Watch(Keys.RANGE, answers.values(range -> usher.scale(NodeRange.read(range.text())))));
        batch.add(new Operation.Watch(Keys.WAITING, answers.members(more -> {
            if (more.contains(arrival)) {
                seat.letWait();
            }
        })));
        batch.add(new Operation.Watch(Keys.CYCLE, answers.values(this::called)));
        batch.add(new Operation.Watch(Keys.drain(arrival), answers.values(reason -> listener.drained(reason.text()))));
        batch.add(new Operation.Watch(Keys.LEFT, answers.members(arrivals::addLeft)));
        batch.add(new Operation.Watch(Keys.GONE, answers.members(this::goneGrew)));
    }

    /** Tells the listener how the job has ended. */
    static void readEnd(Value end, NodeListener listener) {
        String[] fields = end.text().split(" ", 2);
        listener.jobEnded(Integer.parseInt(fields[0]), fields[1]);
    }

    /** Counts the agent as dead that this node had before, if the store does not know yet that it is. */
    private void replace(int former) {
        store.send(List.of(new Operation.Delete(Keys.ranks(former))));
        if (arrivals.living().contains(former)) {
            IndexSet dead = IndexSet.of(former);
            arrivals.addGone(dead);
            store.send(List.of(new Operation.AddToSet(Keys.GONE, dead)));
        }
    }

    private void called(Value value) {
        int number = Cycles.number(value);
        if (number > cycle) {
            cycle = number;
            listener.cycleCalled(number, Cycles.reason(value));
        }
    }

    private void goneGrew(IndexSet members) {
        if (members.contains(arrival)) {
            answers.lost("this agent counts as dead: the store has heard nothing of it for "
                    + settings.lease().toSeconds() + " s, or another agent with the node name '" + settings.name()
                    + "' has come");
        }
        arrivals.addGone(members);
        usher.look();
        if (farewell != null) {
            farewell.look();
        }
    }

    /** Waits for the seat of this node in a cycle. */
    void awaitSeat(int inCycle) {
        wanted = inCycle;
        usher.open(inCycle);
        seat.make(inCycle);
    }

    /** Finds or says where rank 0 may host a store: see {@link NodeSession#master}. */
    void master(Seat seated, Master own, Consumer<Master> result) {
        Batch batch = store.batch();
        if (seated.group() == 0) {
            batch.add(new Operation.Delete(Keys.master(seated.cycle() - 1)));
            batch.add(new Operation.Set(Keys.master(seated.cycle()), Value.of(own.text())));
        }
        Handle<Value> master = batch.add(new Operation.Get(Keys.master(seated.cycle())));
        answers.whenDone(batch.submit(settings.timeout()), (results, failure) -> {
            if (seated.cycle() < wanted) {
                return; // the next cycle was called meanwhile
            }
            if (failure == null) {
                result.accept(Master.read(results.get(master).text()));
            } else {
                answers.lost("the agent of group rank 0 has not said where its rank may host a store: "
                        + failure.getMessage());
            }
        });
    }

    /** Leaves the job: see {@link NodeSession#leave}. */
    void leave(boolean hasCompleted, boolean awaitOthers) {
        seat.withdraw();
        farewell = new Farewell(store, settings, arrival, cycle, arrivals, events, listener, answers);
        farewell.leave(hasCompleted, awaitOthers);
    }
}

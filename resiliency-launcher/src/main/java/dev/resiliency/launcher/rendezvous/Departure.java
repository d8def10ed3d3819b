package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How an agent leaves its job: it says so, and waits for the others if they need its store. Confined to the thread that runs the
 * agent.
 */
final class Departure {
    private static final String COMPLETED = "all ranks have completed";

    private final SessionStore store;
    private final NodeSettings settings;
    private final EventLog events;
    private final NodeListener listener;
    private final AgentThread thread;
    private final SeatCoordinator coordinator;
    private final int cycle;
    private boolean hasCompleted;
    private boolean awaitsOthers;
    /** Whether the store has received the goodbye, and this agent has not been free since. */
    private boolean lingers;
    /** Whether this agent has looked whether the job has completed but for those. */
    private boolean hasEndedJob;

    Departure(
            SessionStore store,
            NodeSettings settings,
            int cycle,
            SeatCoordinator coordinator,
            EventLog events,
            NodeListener listener,
            AgentThread thread) {
        this.store = store;
        this.settings = settings;
        this.cycle = cycle;
        this.coordinator = coordinator;
        this.events = events;
        this.listener = listener;
        this.thread = thread;
    }

    /** Leaves: see {@link NodeSession#leave}. */
    void leave(boolean completed, boolean awaitOthers) {
        hasCompleted = completed;
        awaitsOthers = awaitOthers;
        int arrival = coordinator.arrival();
        IndexSet self = IndexSet.of(arrival);
        Batch batch = store.batch();
        // It is not lost, so no other agent has to say that.
        batch.add(new Operation.CompareAndSet(Keys.once(Keys.loss(arrival)), Value.empty(), Value.of(store.session())));
        batch.add(new Operation.AddToSet(completed ? Keys.DONE : Keys.LEFT, self));
        if (!completed) {
            batch.add(new Operation.AddToSet(Keys.GONE, self));
        }
        Map<String, Handle<IndexSet>> sets = new LinkedHashMap<>();
        for (String key : List.of(Keys.WAITING, Keys.DONE, Keys.GONE, Keys.CAME)) {
            sets.put(key, batch.add(new Operation.Members(key)));
        }
        if (awaitOthers) {
            batch.add(coordinator.watch(Keys.DONE));
        }
        thread.whenDone(batch.submit(settings.goodbyeLimit()), (results, failure) -> {
            if (results == null) {
                listener.free();
                return;
            }
            sets.forEach((key, members) -> coordinator.learn(key, results.get(members)));
            lingers = true;
            if (awaitOthers) {
                nameOthers();
            }
            look();
        });
    }

    private void nameOthers() {
        IndexSet others = coordinator.roster().living();
        if (!others.isEmpty()) {
            thread.then(
                    Nodes.read(store, others),
                    nodes -> listener.noted("this agent hosts the store, so it waits for " + Nodes.names(nodes)));
        }
    }

    /** Looks whether this agent is free; called whenever the sets of the others have grown. */
    void look() {
        if (!lingers) {
            return;
        }
        IndexSet others = coordinator.roster().living();
        if (others.isEmpty() && hasCompleted) {
            lingers = false;
            sayThatJobHasCompleted(listener::free);
        } else if (!others.isEmpty()
                && hasCompleted
                && !hasEndedJob
                && coordinator.roster().waiting().containsAll(others)) {
            hasEndedJob = true;
            endFor(others);
        } else if (others.isEmpty() || !awaitsOthers) {
            lingers = false;
            listener.free();
        }
    }

    private void sayThatJobHasCompleted(Runnable next) {
        thread.whenDone(events.recordOnce(Keys.END, JobEvent.Kind.JOB_ENDED, COMPLETED), (done, failure) -> next.run());
    }

    /** Ends the job for nodes that wait for a seat, unless one has got it: no rank is left that they could replace. */
    private void endFor(IndexSet others) {
        thread.whenDone(SeatReader.read(store, cycle), (table, failure) -> {
            if (table != null && others.stream().noneMatch(table.seats()::containsKey)) {
                store.send(List.of(new Operation.CompareAndSet(Keys.END, Value.empty(), Value.of("0 " + COMPLETED))));
                sayThatJobHasCompleted(this::look);
            } else {
                look();
            }
        });
    }
}

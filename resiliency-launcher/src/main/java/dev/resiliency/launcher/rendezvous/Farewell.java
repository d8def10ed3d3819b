package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.List;

/**
 * How an agent leaves its job: it says so, and waits for the others if they need its store. Confined to the thread that runs the
 * agent.
 */
final class Farewell {
    private static final String COMPLETED = "all ranks have completed";

    private final SessionStore store;
    private final NodeSettings settings;
    private final int arrival;
    private final Arrivals arrivals;
    private final EventLog events;
    private final NodeListener listener;
    private final Answers answers;
    private final int cycle;
    private boolean hasCompleted;
    private boolean awaitsOthers;
    /** Whether the store has received the goodbye, and this agent has not been free since. */
    private boolean lingers;
    /** The agents that have waited for a seat. */
    private IndexSet waiting = IndexSet.empty();
    /** Whether this agent has looked whether the job has completed but for those. */
    private boolean hasEndedJob;

    Farewell(
            SessionStore store,
            NodeSettings settings,
            int arrival,
            int cycle,
            Arrivals arrivals,
            EventLog events,
            NodeListener listener,
            Answers answers) {
        this.store = store;
        this.settings = settings;
        this.arrival = arrival;
        this.cycle = cycle;
        this.arrivals = arrivals;
        this.events = events;
        this.listener = listener;
        this.answers = answers;
    }

    /** Leaves: see {@link NodeSession#leave}. */
    void leave(boolean completed, boolean awaitOthers) {
        hasCompleted = completed;
        awaitsOthers = awaitOthers;
        IndexSet self = IndexSet.of(arrival);
        Batch batch = store.batch();
        // It is not lost, so no other agent has to say that.
        batch.add(new Operation.CompareAndSet(Keys.once(Keys.loss(arrival)), Value.empty(), Value.of(store.session())));
        batch.add(new Operation.AddToSet(completed ? Keys.DONE : Keys.LEFT, self));
        if (!completed) {
            batch.add(new Operation.AddToSet(Keys.GONE, self));
        }
        Handle<IndexSet> came = batch.add(new Operation.Members(Keys.CAME));
        Handle<IndexSet> gone = batch.add(new Operation.Members(Keys.GONE));
        Handle<IndexSet> done = batch.add(new Operation.Members(Keys.DONE));
        Handle<IndexSet> waits = batch.add(new Operation.Members(Keys.WAITING));
        if (awaitOthers) {
            batch.add(new Operation.Watch(Keys.DONE, answers.members(more -> {
                arrivals.addDone(more);
                look();
            })));
        }
        answers.whenDone(batch.submit(settings.goodbyeLimit()), (results, failure) -> {
            if (failure != null) {
                listener.free();
                return;
            }
            arrivals.addCame(results.get(came));
            arrivals.addGone(results.get(gone));
            arrivals.addDone(results.get(done));
            waiting = results.get(waits);
            lingers = true;
            if (awaitOthers) {
                nameOthers();
            }
            look();
        });
    }

    private void nameOthers() {
        IndexSet others = arrivals.living();
        if (!others.isEmpty()) {
            answers.then(
                    Nodes.read(store, others),
                    nodes -> listener.noted("this agent hosts the store, so it waits for " + Nodes.names(nodes)));
        }
    }

    /** Looks whether this agent is free; called whenever the sets of the others have grown. */
    void look() {
        if (!lingers) {
            return;
        }
        IndexSet others = arrivals.living();
        if (others.isEmpty() && hasCompleted) {
            lingers = false;
            sayThatJobHasCompleted(listener::free);
        } else if (!others.isEmpty() && hasCompleted && !hasEndedJob && waiting.containsAll(others)) {
            hasEndedJob = true;
            endFor(others);
        } else if (others.isEmpty() || !awaitsOthers) {
            lingers = false;
            listener.free();
        }
    }

    private void sayThatJobHasCompleted(Runnable next) {
        answers.whenDone(
                events.recordOnce(Keys.END, JobEvent.Kind.JOB_ENDED, COMPLETED), (done, failure) -> next.run());
    }

    /** Ends the job for nodes that wait for a seat, unless one has got it: no rank is left that they could replace. */
    private void endFor(IndexSet others) {
        answers.whenDone(Seats.read(store, cycle), (seats, failure) -> {
            if (failure == null && others.stream().noneMatch(seats::containsKey)) {
                store.send(List.of(new Operation.CompareAndSet(Keys.END, Value.empty(), Value.of("0 " + COMPLETED))));
                sayThatJobHasCompleted(this::look);
            } else {
                look();
            }
        });
    }
}

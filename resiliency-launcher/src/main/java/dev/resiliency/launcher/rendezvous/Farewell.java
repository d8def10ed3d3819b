package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Batch.Results;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * How an agent leaves its job: it says so, and waits for the others if they need its store. Confined to the thread that runs the
 * agent.
 */
final class Farewell {
    private final SessionStore store;
    private final NodeSettings settings;
    private final int arrival;
    private final Arrivals arrivals;
    private final EventLog events;
    private final NodeListener listener;
    private final Executor agent;
    private boolean hasCompleted;
    private boolean awaitsOthers;

    Farewell(
            SessionStore store,
            NodeSettings settings,
            int arrival,
            Arrivals arrivals,
            EventLog events,
            NodeListener listener,
            Executor agent) {
        this.store = store;
        this.settings = settings;
        this.arrival = arrival;
        this.arrivals = arrivals;
        this.events = events;
        this.listener = listener;
        this.agent = agent;
    }

    /** Leaves: see {@link NodeSession#leave}. */
    @SuppressWarnings("FutureReturnValueIgnored") // what happens is reported to the listener
    void leave(boolean completed, boolean awaitOthers) {
        hasCompleted = completed;
        IndexSet self = IndexSet.of(arrival);
        Batch batch = store.batch();
        // It is not lost, so no other agent has to say that.
        batch.add(new Operation.CompareAndSet(Keys.once(Keys.loss(arrival)), Value.empty(), Value.of(store.session())));
        batch.add(new Operation.AddToSet(completed ? Keys.DONE : Keys.GONE, self));
        Handle<IndexSet> came = batch.add(new Operation.Members(Keys.CAME));
        Handle<IndexSet> gone = batch.add(new Operation.Members(Keys.GONE));
        Handle<IndexSet> done = batch.add(new Operation.Members(Keys.DONE));
        if (awaitOthers) {
            batch.add(new Operation.Watch(
                    Keys.DONE,
                    change -> agent.execute(() -> {
                        if (change instanceof Change.Joined joined) {
                            arrivals.addDone(joined.members());
                            look();
                        }
                    })));
        }
        batch.submit(settings.goodbyeLimit())
                .whenCompleteAsync(
                        (results, failure) -> {
                            if (failure != null) {
                                listener.free();
                                return;
                            }
                            left(results, came, gone, done);
                            awaitsOthers = awaitOthers;
                            if (awaitOthers) {
                                nameOthers();
                                look();
                            } else {
                                end();
                            }
                        },
                        agent);
    }

    private void left(Results results, Handle<IndexSet> came, Handle<IndexSet> gone, Handle<IndexSet> done) {
        arrivals.addCame(results.get(came));
        arrivals.addGone(results.get(gone));
        arrivals.addDone(results.get(done));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a note for people; this agent leaves in any case
    private void nameOthers() {
        IndexSet others = arrivals.living();
        if (!others.isEmpty()) {
            Nodes.read(store, others)
                    .thenAcceptAsync(
                            nodes ->
                                    listener.noted("this agent hosts the store, so it waits for " + Nodes.names(nodes)),
                            agent);
        }
    }

    /** Looks whether the others still need this agent; called whenever their sets have grown. */
    void look() {
        if (awaitsOthers && arrivals.living().isEmpty()) {
            awaitsOthers = false;
            end();
        }
    }

    /** The last one that has completed also says that the job has. */
    @SuppressWarnings("FutureReturnValueIgnored") // what happens is reported to the listener
    private void end() {
        CompletableFuture<?> said = hasCompleted && arrivals.living().isEmpty()
                ? events.recordOnce(Keys.END, JobEvent.Kind.JOB_ENDED, "all ranks have completed")
                : CompletableFuture.completedFuture(null);
        said.whenCompleteAsync((done, failure) -> listener.free(), agent);
    }
}

package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Batch.Results;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The session of an agent among those of its job: from its arrival until it leaves. Confined to the thread that runs the agent,
 * on which also all answers of the store are handled.
 */
public final class NodeSession {
    private static final int ASK_AGAIN_LIMIT = 100;

    private final SessionStore store;
    private final NodeSettings settings;
    private final Executor agent;
    private final NodeListener listener;
    private final Arrivals arrivals = new Arrivals();
    private final EventLog events;
    private int arrival = -1;
    private int cycle;
    private int requests;
    /** Null until this agent has arrived. */
    private @Nullable Usher usher;

    /** The request for the seat; withdrawn when this agent leaves. */
    private @Nullable CompletableFuture<?> seatRequest;

    private boolean hasLeft;
    /** Whether enough nodes took part without this one. */
    private boolean waits;
    /** Null until this agent leaves. */
    private @Nullable Farewell farewell;

    /**
     * Creates the session of an agent that has not arrived yet.
     *
     * @param session of the store, for this agent alone; its last will is replaced
     * @param agent runs a task on the thread of the agent, later
     */
    public NodeSession(SessionStore session, NodeSettings settings, Executor agent, NodeListener listener) {
        this.store = new PrefixStore(Keys.prefix(settings.jobId()), session);
        this.settings = settings;
        this.agent = agent;
        this.listener = listener;
        events = new EventLog(store, settings.name());
        session.onLost(reason -> agent.execute(() -> {
            if (!hasLeft) {
                listener.lost(String.valueOf(reason.getMessage()));
            }
        }));
    }

    /** Calls the consumer with the result, on the thread of the agent; a failure ends the agent. */
    @SuppressWarnings("FutureReturnValueIgnored") // what happens is reported to the listener
    private <T> void then(CompletableFuture<T> future, Consumer<? super T> consumer) {
        future.whenCompleteAsync(
                (result, failure) -> {
                    if (failure == null) {
                        consumer.accept(result);
                    } else if (!hasLeft) {
                        listener.lost("the store failed: " + failure.getMessage());
                    }
                },
                agent);
    }

    /** Arrives among the agents of the job, and waits for a seat in its current cycle. */
    public void arrive() {
        Batch batch = store.batch();
        Handle<Value> end = batch.add(Keys.peek(Keys.END));
        Handle<Value> terms = batch.add(
                new Operation.Claim(Keys.TERMS, Value.of(settings.terms().text())));
        Handle<Long> number = batch.add(new Operation.Add(Keys.ARRIVALS, 1));
        then(batch.submit(store.timeout()), results -> {
            if (results.get(end).size() > 0) {
                ended(results.get(end));
            } else if (!results.ran(number)) {
                listener.refused("job '%s' does not admit this node: %s"
                        .formatted(
                                settings.jobId(),
                                settings.terms()
                                        .differenceFrom(results.get(terms).text())));
            } else {
                arrival = Math.toIntExact(results.get(number) - 1);
                announce();
            }
        });
    }

    private void announce() {
        Node self = new Node(arrival, settings.name(), settings.address(), settings.givenRank(), settings.domain());
        usher = new Usher(store, settings, arrival, arrivals, events, listener, agent, this::then);
        Batch batch = store.batch();
        batch.add(new Operation.Lease(settings.lease()));
        batch.add(new Operation.LastWill(List.of(new Operation.AddToSet(Keys.GONE, IndexSet.of(arrival)))));
        batch.add(new Operation.Set(Keys.node(arrival), Value.of(self.text())));
        batch.add(new Operation.AddToSet(Keys.CAME, IndexSet.of(arrival)));
        Handle<Value> former = batch.add(Keys.peek(Keys.name(settings.name())));
        batch.add(new Operation.Set(Keys.name(settings.name()), Value.of(arrival)));
        Handle<IndexSet> came = batch.add(new Operation.Members(Keys.CAME));
        Handle<IndexSet> done = batch.add(new Operation.Members(Keys.DONE));
        Handle<IndexSet> gone = batch.add(new Operation.Members(Keys.GONE));
        Handle<IndexSet> leaving = batch.add(new Operation.Members(Keys.LEAVING));
        Handle<Value> range = batch.add(Keys.peek(Keys.RANGE));
        Handle<Value> current = batch.add(Keys.peek(Keys.CYCLE));
        batch.add(new Operation.Watch(Keys.END, onThread(change -> written(change, this::ended))));
        // Before the cycle that it may come with.
        batch.add(new Operation.Watch(Keys.LEAVING, onThread(change -> joined(change, this::leavingGrew))));
        batch.add(new Operation.Watch(Keys.RANGE, onThread(change -> written(change, this::scaled))));
        batch.add(new Operation.Watch(Keys.WAITING, onThread(change -> joined(change, this::waitingGrew))));
        batch.add(new Operation.Watch(Keys.CYCLE, onThread(change -> written(change, this::called))));
        batch.add(new Operation.Watch(
                Keys.drain(arrival), onThread(change -> written(change, reason -> listener.drained(reason.text())))));
        batch.add(new Operation.Watch(Keys.GONE, onThread(change -> joined(change, this::goneGrew))));
        then(batch.submit(store.timeout()), results -> {
            arrivals.addCame(results.get(came));
            arrivals.addDone(results.get(done));
            arrivals.addGone(results.get(gone));
            arrivals.addLeaving(results.get(leaving));
            if (results.get(range).size() > 0) {
                scaled(results.get(range));
            }
            cycle = Math.max(cycle, Cycles.number(results.get(current)));
            report(JobEvent.Kind.NODE_CAME, "node %s has come".formatted(self));
            if (results.get(former).size() > 0) {
                replace(Integer.parseInt(results.get(former).text()));
            }
            awaitSeat(cycle);
        });
    }

    /** Counts the agent as dead that this node had before, if the store does not know yet that it is. */
    private void replace(int former) {
        if (arrivals.living().contains(former)) {
            IndexSet dead = IndexSet.of(former);
            arrivals.addGone(dead);
            store.send(List.of(new Operation.AddToSet(Keys.GONE, dead)));
        }
    }

    private Consumer<Change> onThread(Consumer<Change> handler) {
        return change -> agent.execute(() -> handler.accept(change));
    }

    private static void written(Change change, Consumer<Value> handler) {
        if (change instanceof Change.Written written && written.value().size() > 0) {
            handler.accept(written.value());
        }
    }

    private static void joined(Change change, Consumer<IndexSet> handler) {
        if (change instanceof Change.Joined joined) {
            handler.accept(joined.members());
        }
    }

    private void ended(Value end) {
        String[] fields = end.text().split(" ", 2);
        listener.jobEnded(Integer.parseInt(fields[0]), fields[1]);
    }

    private void called(Value value) {
        int number = Cycles.number(value);
        if (number > cycle) {
            cycle = number;
            listener.cycleCalled(number, Cycles.reason(value));
        }
    }

    private void scaled(Value value) {
        if (usher != null) {
            usher.scale(NodeRange.read(value.text()));
        }
    }

    private void leavingGrew(IndexSet members) {
        arrivals.addLeaving(members);
        if (usher != null) {
            usher.look();
        }
    }

    private void waitingGrew(IndexSet members) {
        if (members.contains(arrival) && !hasLeft) {
            waits = true;
            listener.noted("as many nodes as may take part are there: this one waits until another leaves, or"
                    + " 'resiliency scale' admits more");
        }
    }

    private void goneGrew(IndexSet members) {
        if (members.contains(arrival) && !hasLeft) {
            listener.lost("this agent counts as dead: the store has heard nothing of it for "
                    + settings.lease().toSeconds() + " s, or another agent with the node name '" + settings.name()
                    + "' has come");
            return;
        }
        arrivals.addGone(members);
        if (usher != null) {
            usher.look();
        }
        if (farewell != null) {
            farewell.look();
        }
    }

    /** Waits for the seat of this node in a cycle. */
    @SuppressWarnings("FutureReturnValueIgnored") // what happens is reported to the listener
    public void awaitSeat(int wanted) {
        if (usher != null) {
            usher.open(wanted);
        }
        Batch batch = store.batch();
        batch.add(new Operation.AddToSet(Keys.ready(wanted), IndexSet.of(arrival)));
        Handle<Value> seat = batch.add(new Operation.Get(Keys.seat(wanted, arrival)));
        withdrawRequest();
        CompletableFuture<Results> request = batch.submit(settings.timeout());
        seatRequest = request;
        request.whenCompleteAsync(
                (results, failure) -> {
                    if (failure == null) {
                        waits = false;
                        listener.seated(Seat.read(results.get(seat).text()));
                    } else if (failure instanceof StoreTimeoutException && waits) {
                        awaitSeat(cycle);
                    } else if (failure instanceof StoreTimeoutException) {
                        refuseAsTooFew();
                    }
                },
                agent);
    }

    private void withdrawRequest() {
        if (seatRequest != null) {
            seatRequest.cancel(true);
        }
    }

    private void refuseAsTooFew() {
        Batch batch = store.batch();
        Handle<IndexSet> came = batch.add(new Operation.Members(Keys.CAME));
        Handle<IndexSet> gone = batch.add(new Operation.Members(Keys.GONE));
        then(batch.submit(store.timeout()), results -> {
            IndexSet living = results.get(came).minus(results.get(gone));
            then(
                    Nodes.read(store, living),
                    nodes -> listener.refused("%s came within %s s: %s"
                            .formatted(
                                    Seating.shortage(settings.terms(), nodes),
                                    settings.timeout().toSeconds(),
                                    Nodes.names(nodes))));
        });
    }

    /** Returns when {@link #tick} is due; empty if nothing is. */
    public Optional<Duration> untilTick() {
        return usher == null ? Optional.empty() : usher.untilTick();
    }

    /** Does what is due. */
    public void tick() {
        if (usher != null) {
            usher.look();
        }
    }

    /** Ends the job for all agents, unless one was first. */
    @SuppressWarnings("FutureReturnValueIgnored") // all agents learn it by their watch
    public void endJob(int code, String reason) {
        Value end = Value.of(code + " " + reason);
        Batch batch = store.batch();
        Handle<Value> standing = batch.add(new Operation.CompareAndSet(Keys.END, Value.empty(), end));
        batch.submit(store.timeout()).thenAccept(results -> {
            if (results.get(standing).equals(end)) {
                events.recordOnce(Keys.END, JobEvent.Kind.JOB_ENDED, "exit code %d: %s".formatted(code, reason));
            }
        });
    }

    /**
     * Calls a cycle, unless another agent has.
     *
     * @param result receives whether this one was first
     */
    public void callCycle(int number, String reason, Consumer<Boolean> result) {
        then(Cycles.call(store, number, Integer.toString(arrival), reason), isFirst -> {
            if (isFirst) {
                report(JobEvent.Kind.CYCLE, "cycle %d: %s".formatted(number, reason));
            }
            result.accept(isFirst);
        });
    }

    /**
     * Asks for a restart out of the budget of the whole job.
     *
     * @param budget decides
     * @param result receives how many restarts have been granted with this one; 0 if none is left
     */
    public void askRestart(JobBudget budget, Consumer<Integer> result) {
        askRestart(budget, Value.empty(), result, ASK_AGAIN_LIMIT);
    }

    private void askRestart(JobBudget budget, Value known, Consumer<Integer> result, int attempts) {
        JobBudget.Grant grant = budget.grant(known.text(), System.currentTimeMillis(), arrival + "." + requests++);
        if (grant.number() == 0 && known.size() > 0) {
            result.accept(0);
            return;
        }
        Batch batch = store.batch();
        Handle<Value> now = batch.add(new Operation.CompareAndSet(Keys.RESTARTS, known, Value.of(grant.spent())));
        then(batch.submit(store.timeout()), results -> {
            Value value = results.get(now);
            if (value.text().equals(grant.spent()) && grant.number() > 0) {
                result.accept(grant.number());
            } else if (grant.number() == 0 || attempts == 0) {
                result.accept(0);
            } else {
                askRestart(budget, value, result, attempts - 1);
            }
        });
    }

    /** Writes an event of the job, for people; whether that succeeds does not matter. */
    @SuppressWarnings("FutureReturnValueIgnored")
    public void report(JobEvent.Kind kind, String text) {
        if (usher != null) { // a node that was refused is none of the job
            events.record(kind, text);
        }
    }

    /**
     * Leaves the job.
     *
     * @param hasCompleted whether the ranks of this node have completed
     * @param awaitOthers whether the other agents need the store that this one hosts; {@link NodeListener#free} says when they
     *     do not any more
     */
    public void leave(boolean hasCompleted, boolean awaitOthers) {
        hasLeft = true;
        withdrawRequest();
        if (arrival < 0) {
            listener.free();
            return;
        }
        farewell = new Farewell(store, settings, arrival, cycle, arrivals, events, listener, agent);
        farewell.leave(hasCompleted, awaitOthers);
    }
}

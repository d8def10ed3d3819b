package dev.resiliency.launcher.rendezvous;

import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The session of an agent among those of its job: from its arrival until it leaves. Confined to the thread that runs the agent,
 * on which also all answers of the store are handled.
 */
public final class NodeSession {
    private final SessionStore session;
    private final SessionStore store;
    private final NodeSettings settings;
    private final NodeListener listener;
    private final AgentThread thread;
    private final EventLog events;
    private final HealthMark health;
    private int restartRequests;
    /** Null if the job ends with its store. */
    private final @Nullable AgentVoter voter;
    /** Null until this agent is admitted. */
    private volatile @Nullable SeatCoordinator coordinator; // written by the thread of the agent

    /** Returns the part of a store that holds the keys of a job's agents. */
    public static SessionStore storeOf(SessionStore session, String jobId) {
        return new PrefixStore(Keys.prefix(jobId), session);
    }

    /**
     * Creates the session of an agent that has not arrived yet.
     *
     * @param session of the store, for this agent alone; its last will is replaced
     * @param agent runs a task on the thread of the agent, later
     */
    public NodeSession(SessionStore session, NodeSettings settings, Executor agent, NodeListener listener) {
        this(session, settings, agent, listener, null);
    }

    /**
     * Creates the session of an agent that has not arrived on this store yet.
     *
     * @param session of the store, for this agent alone; its last will is replaced
     * @param agent runs a task on the thread of the agent, later
     * @param voter this agent as a voter on where the job lives; null if it ends with its store
     */
    public NodeSession(
            SessionStore session,
            NodeSettings settings,
            Executor agent,
            NodeListener listener,
            @Nullable AgentVoter voter) {
        this.voter = voter;
        this.session = session;
        this.store = storeOf(session, settings.jobId());
        this.settings = settings;
        this.listener = listener;
        thread = new AgentThread(agent, listener);
        events = new EventLog(store, settings.name());
        health = new HealthMark(store, settings.name(), events, thread);
        session.onLost(reason -> thread.later(() -> thread.failed("", reason)));
    }

    /** Arrives among the agents of the job, and waits for a seat in its current cycle. */
    public void arrive() {
        if (voter != null && voter.arrival() >= 0) {
            announce(self(voter.arrival()), IndexSet.empty(), true);
            return;
        }
        Batch batch = store.batch();
        Handle<Value> end = batch.add(Keys.peek(Keys.END));
        Handle<Value> terms = batch.add(
                new Operation.Claim(Keys.TERMS, Value.of(settings.terms().text())));
        Handle<Long> number = batch.add(new Operation.Add(Keys.ARRIVALS, 1));
        thread.then(batch.submit(store.timeout()), results -> {
            if (results.get(end).size() > 0) {
                SeatCoordinator.readEnd(results.get(end), listener);
            } else if (!results.ran(number)) {
                listener.refused("job '%s' does not admit this node: %s"
                        .formatted(
                                settings.jobId(),
                                settings.terms()
                                        .differenceFrom(results.get(terms).text())));
            } else {
                int arrival = Math.toIntExact(results.get(number) - 1);
                Node self = self(arrival);
                new NameClaim(store, settings, self, listener, thread, former -> announce(self, former, false)).make();
            }
        });
    }

    private Node self(int arrival) {
        return new Node(arrival, settings.name(), settings.address(), settings.givenRank(), settings.domain());
    }

    private void announce(Node self, IndexSet former, boolean goesOn) {
        SeatCoordinator announced =
                new SeatCoordinator(session, store, settings, self.arrival(), events, listener, thread, voter);
        coordinator = announced;
        announced.announce(self, former, goesOn);
    }

    /** Counts those of the voters as lost that have not come to the store that is founded; needs no answer. */
    @SuppressWarnings("FutureReturnValueIgnored") // if the store is lost, so is the job, or it moves again
    public static void giveUpMissing(String jobId, Founded founded) {
        SessionStore session = founded.session();
        Batch batch = session.batch();
        Handle<IndexSet> came = batch.add(new Operation.Members(NodesJob.cameKey(jobId, founded)));
        batch.submit(session.timeout()).thenAccept(results -> {
            IndexSet missing = founded.base().members().minus(results.get(came));
            if (!missing.isEmpty()) {
                storeOf(session, jobId).send(List.of(new Operation.AddToSet(Keys.GONE, missing)));
            }
        });
    }

    /** Says that this node is unhealthy, and why. May be called before it arrives. */
    public void markUnhealthy(String problem) {
        health.set(problem);
    }

    /** Says that this node is healthy, or is so again. May be called before it arrives. */
    public void markHealthy() {
        health.remove();
    }

    /** Waits for the seat of this node in a cycle. */
    public void awaitSeat(int cycle) {
        present().awaitSeat(cycle);
    }

    /**
     * Finds out where rank 0 may host a store in a cycle, or says so if it is on this node.
     *
     * @param own a place on this node
     * @param result receives it, unless another cycle is called before
     */
    public void master(Seat seat, Master own, Consumer<Master> result) {
        present().master(seat, own, result);
    }

    private SeatCoordinator present() {
        if (coordinator == null) {
            throw new IllegalStateException("this agent has not arrived");
        }
        return coordinator;
    }

    /** Returns whether this agent is there, and has the lowest number of those that live. */
    public boolean isLowest() {
        return coordinator != null && coordinator.leads();
    }

    /** Returns the store with the prefix of the job's agents, for what others keep there. Safe for use by many threads. */
    public SessionStore store() {
        return store;
    }

    /** Returns when {@link #tick} is due; empty if nothing is. */
    public Optional<Duration> untilTick() {
        return coordinator == null ? Optional.empty() : coordinator.untilTick();
    }

    /** Does what is due. */
    public void tick() {
        if (coordinator != null) {
            coordinator.tick();
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
                events.recordOnce(
                        Keys.END, Instant.now(), JobEvent.Kind.JOB_ENDED, "exit code %d: %s".formatted(code, reason));
            }
        });
    }

    /**
     * Calls a cycle, unless another agent has.
     *
     * @param result receives whether this one was first
     */
    public void callCycle(int number, String reason, Consumer<CycleCall> result) {
        String caller = Integer.toString(present().arrival());
        thread.then(Cycles.call(session, settings.jobId(), number, caller, reason), answer -> {
            if (answer == CycleCall.FIRST) {
                report(JobEvent.Kind.CYCLE, "cycle %d: %s".formatted(number, reason));
            } else if (answer == CycleCall.COMPLETE) {
                present().jobIsComplete();
            }
            result.accept(answer);
        });
    }

    /** Says that the ranks of this node have completed in a cycle: the job has ended when those of all nodes have. */
    public void complete(int cycle) {
        present().complete(cycle);
    }

    /**
     * Asks for a restart out of the budget of the whole job.
     *
     * @param budget decides
     * @param result receives how many restarts have been granted with this one; 0 if none is left
     */
    public void askRestart(JobBudget budget, Consumer<Integer> result) {
        String name = present().arrival() + "." + restartRequests++;
        new RestartRequest(store, thread, budget, name, result).make();
    }

    /**
     * Shares how long the sections of the job take, with all agents.
     *
     * @param change returns what is to be shared in place of what was, which is empty at first; may be called several times
     * @param result receives what is shared now, unless the store fails
     */
    public void shareTimes(UnaryOperator<String> change, Consumer<String> result) {
        new SharedText(store, thread, Keys.TIMES).update(change, result);
    }

    /** Shares whether the job gets on from restart to restart; see {@link #shareTimes}. */
    public void shareProgress(UnaryOperator<String> change, Consumer<String> result) {
        new SharedText(store, thread, Keys.PROGRESS).update(change, result);
    }

    /** Writes an event of the job, for people; whether that succeeds does not matter. Any thread may call it. */
    @SuppressWarnings("FutureReturnValueIgnored")
    public void report(JobEvent.Kind kind, String text) {
        if (coordinator != null) { // a node that was refused is none of the job
            events.record(kind, text);
        }
    }

    /** Writes that wrapped ranks were restarted in their processes, unless another agent has: the lowest may have changed. */
    @SuppressWarnings("FutureReturnValueIgnored") // for people; whether that succeeds does not matter
    public void report(InProcessRestart restart, Instant time) {
        if (coordinator != null) {
            events.recordOnce("restart/" + restart.iteration(), time, JobEvent.Kind.IN_PROCESS_RESTART, restart.text());
        }
    }

    /** Writes what this node knows of its ranks, without waiting for the store; whether that succeeds does not matter. */
    public void publishRanks(String json) {
        if (coordinator != null) {
            store.send(List.of(new Operation.Set(Keys.ranks(coordinator.arrival()), Value.of(json))));
        }
    }

    /** Ends the session without a goodbye: the others learn that this node is lost. */
    public void abandon() {
        store.abandon();
    }

    /** Tells the others that this agent is about to leave, before its processes end. */
    public void announceLeave() {
        if (coordinator != null) {
            store.send(List.of(new Operation.AddToSet(Keys.STOPPING, IndexSet.of(coordinator.arrival()))));
        }
    }

    /**
     * Leaves the job.
     *
     * @param hasCompleted whether the ranks of this node have completed
     * @param stay until when it does not tell {@link NodeListener#free}
     */
    public void leave(boolean hasCompleted, Stay stay) {
        thread.leave();
        if (coordinator == null) {
            listener.free();
        } else {
            coordinator.leave(hasCompleted, stay);
        }
    }
}

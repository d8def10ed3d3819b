package dev.resiliency.launcher.rendezvous;

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
    private final SessionStore store;
    private final NodeSettings settings;
    private final NodeListener listener;
    private final AgentThread thread;
    private final EventLog events;
    private final HealthMark health;
    private int restartRequests;
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
                Node self =
                        new Node(arrival, settings.name(), settings.address(), settings.givenRank(), settings.domain());
                new NameClaim(store, settings, self, listener, thread, former -> announce(self, former)).make();
            }
        });
    }

    private void announce(Node self, IndexSet former) {
        SeatCoordinator announced = new SeatCoordinator(store, settings, self.arrival(), events, listener, thread);
        coordinator = announced;
        announced.announce(self, former);
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
    public void callCycle(int number, String reason, Consumer<Boolean> result) {
        thread.then(Cycles.call(store, number, Integer.toString(present().arrival()), reason), isFirst -> {
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

    /**
     * Leaves the job.
     *
     * @param hasCompleted whether the ranks of this node have completed
     * @param awaitOthers whether the other agents need the store that this one hosts; {@link NodeListener#free} says when they
     *     do not any more
     */
    public void leave(boolean hasCompleted, boolean awaitOthers) {
        thread.leave();
        if (coordinator == null) {
            listener.free();
        } else {
            coordinator.leave(hasCompleted, awaitOthers);
        }
    }
}

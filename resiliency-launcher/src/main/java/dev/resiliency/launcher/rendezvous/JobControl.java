package dev.resiliency.launcher.rendezvous;

import static java.util.Objects.requireNonNull;

import dev.resiliency.launcher.rendezvous.JobStatus.NodeStatus;
import dev.resiliency.launcher.rendezvous.JobStatus.State;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Batch.Results;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Shows and changes a job from outside, by the keys of its agents. Not safe for use by several threads. */
public final class JobControl {
    private final SessionStore session;
    private final SessionStore store;
    private final EventLog events;
    private final String jobId;

    /** Creates the control of a job in this store. */
    public JobControl(SessionStore session, String jobId) {
        this.session = session;
        this.jobId = jobId;
        store = NodeSession.storeOf(session, jobId);
        events = new EventLog(store, JobEvent.CONTROL);
    }

    private static <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreException failure
                    ? failure
                    : new StoreException(String.valueOf(e.getCause()), e.getCause());
        }
    }

    /**
     * Returns the state of the job.
     *
     * @throws StoreException if there is no job of this name
     */
    public JobStatus status() throws InterruptedException {
        checkThatJobExists();
        Batch batch = store.batch();
        Map<String, Handle<Value>> values = new HashMap<>();
        JobStatus.VALUES.forEach(key -> values.put(key, batch.add(Keys.peek(key))));
        Map<String, Handle<IndexSet>> sets = new HashMap<>();
        JobStatus.SETS.forEach(key -> sets.put(key, batch.add(new Operation.Members(key))));
        Handle<IndexSet> came = batch.add(new Operation.Members(Keys.CAME));
        Results results = await(batch.submit(store.timeout()));
        Function<String, Value> read = key -> results.get(requireNonNull(values.get(key)));
        return JobStatus.of(
                Terms.read(read.apply(Keys.TERMS).text()),
                read,
                key -> results.get(requireNonNull(sets.get(key))),
                await(Nodes.read(store, results.get(came))),
                await(SeatReader.read(store, Cycles.number(read.apply(Keys.CYCLE))))
                        .seats());
    }

    /**
     * Returns the state of the job and of its ranks, and its events.
     *
     * @throws StoreException if there is no job of this name
     */
    public JobView view() throws InterruptedException {
        JobStatus status = status();
        Batch batch = store.batch();
        List<Handle<Value>> values = status.nodes().stream()
                .map(node -> batch.add(Keys.peek(Keys.ranks(node.node().arrival()))))
                .toList();
        List<JobView.NodeRanks> ranks = new ArrayList<>();
        if (!values.isEmpty()) {
            Results results = await(batch.submit(store.timeout()));
            for (int i = 0; i < values.size(); i++) {
                String json = results.get(values.get(i)).text();
                if (!json.isEmpty()) {
                    ranks.add(new JobView.NodeRanks(
                            status.nodes().get(i).node().arrival(), json, System.currentTimeMillis(), false));
                }
            }
        }
        return new JobView(jobId, 0, status, ranks, events(), List.of(), null);
    }

    void checkThatJobExists() throws InterruptedException {
        if (!store.check(List.of(Keys.TERMS))) {
            Map<String, String> unhealthy = unhealthy();
            throw new StoreException(
                    unhealthy.isEmpty()
                            ? "no agent of a job '%s' has registered with the store at %s: see --rdzv-id"
                                    .formatted(jobId, session.address())
                            : "no node takes part in job '%s' yet; these are unhealthy: %s"
                                    .formatted(jobId, unhealthy));
        }
    }

    /** Returns the names of the nodes that are unhealthy, in order, and why: those that wait, and those that have left. */
    public Map<String, String> unhealthy() throws InterruptedException {
        return await(HealthMark.read(store));
    }

    /**
     * Returns the store with the prefix of the job's agents, for what others keep there.
     *
     * @throws StoreException if there is no job of this name
     */
    public SessionStore store() throws InterruptedException {
        checkThatJobExists();
        return store;
    }

    /**
     * Returns what has happened in the job, oldest first: the last 1,000 events.
     *
     * @throws StoreException if there is no job of this name
     */
    public List<JobEvent> events() throws InterruptedException {
        checkThatJobExists();
        List<String> keys = store.keys(Keys.EVENT_PREFIX);
        List<Operation<?>> reads = new ArrayList<>(keys.stream().map(Keys::peek).toList());
        List<@Nullable Object> values = store.batch(store.timeout(), reads.toArray(Operation[]::new));
        List<JobEvent> found = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            // An agent that has written a newer one may just have deleted it.
            if (values.get(i) instanceof Value value && value.size() > 0) {
                found.add(JobEvent.read(Keys.numberOfEvent(keys.get(i)), value));
            }
        }
        return found;
    }

    /**
     * Asks the agent of a node to end its ranks and leave.
     *
     * @param name of the node, or its address
     * @throws StoreException if there is no such node, or it hosts the store, and no other one can
     */
    public Node drain(String name) throws InterruptedException {
        List<Node> found = new ArrayList<>();
        for (NodeStatus status : status().nodes()) {
            Node node = status.node();
            if (status.state() == State.RUNS
                    && (node.name().equals(name) || node.address().equals(name))) {
                found.add(node);
            }
        }
        if (found.size() != 1) {
            throw new StoreException("%s node '%s' runs in job '%s': 'resiliency status' lists them"
                    .formatted(found.isEmpty() ? "no" : "more than one", name, jobId));
        }
        Node node = found.get(0);
        if (HostMark.read(session).equals(node.name()) && !hasSuccessor()) {
            throw new StoreException(
                    "node %s hosts the store, which no other one can: it cannot be drained".formatted(node));
        }
        await(events.record(JobEvent.Kind.DRAIN, "node %s is asked to leave".formatted(node)));
        Batch batch = store.batch();
        addDrains(batch, List.of(node), "resiliency drain");
        await(batch.submit(store.timeout()));
        return node;
    }

    private boolean hasSuccessor() throws InterruptedException {
        String world = store.execute(Keys.peek(Keys.WORLD), store.timeout()).text();
        return !world.isEmpty() && !AgentWorld.read(world).successors().isEmpty();
    }

    private static void addDrains(Batch batch, List<Node> nodes, String reason) {
        batch.add(new Operation.AddToSet(
                Keys.LEAVING, IndexSet.of(nodes.stream().mapToInt(Node::arrival).toArray())));
        nodes.forEach(node -> batch.add(new Operation.Set(Keys.drain(node.arrival()), Value.of(reason))));
    }

    /**
     * Changes how many nodes take part: those that are too many leave, those with the highest group ranks first, but not the one
     * that hosts the store; those that wait take part. With the policy {@code hard}, a world of another size begins with the next
     * cycle, at once.
     *
     * @return what happens, for people
     * @throws StoreException if the job cannot have this size, or has ended
     */
    public String scale(NodeRange range) throws InterruptedException {
        JobStatus status = liveStatus();
        Scaling scaling;
        try {
            scaling = Scaling.of(status, HostMark.read(session), range);
        } catch (IllegalArgumentException e) {
            throw new StoreException("job '%s' cannot be scaled to %s: %s".formatted(jobId, range, e.getMessage()), e);
        }
        String reason = "resiliency scale " + range;
        int cycle = status.cycle() + 1;
        Batch batch = store.batch();
        batch.add(new Operation.Set(Keys.RANGE, Value.of(range.toString())));
        addDrains(batch, scaling.leaving(), reason);
        await(batch.submit(store.timeout()));
        if (scaling.callsCycle()) { // one that was called meanwhile does as well
            await(Cycles.call(session, jobId, cycle, newCaller(), reason));
        }
        String what = scaling.text(range, cycle);
        await(events.record(JobEvent.Kind.SCALE, what));
        return what;
    }

    private static String newCaller() {
        return "control-" + UUID.randomUUID();
    }

    private JobStatus liveStatus() throws InterruptedException {
        JobStatus status = status();
        if (!status.end().isEmpty()) {
            throw new StoreException("job '%s' has ended: %s".formatted(jobId, status.end()));
        }
        return status;
    }

    /**
     * Starts all ranks of all nodes again.
     *
     * @return the number of the cycle
     * @throws StoreException if another one was called in the same moment, or the job has ended
     */
    public int restart() throws InterruptedException {
        JobStatus status = liveStatus();
        int cycle = status.cycle() + 1;
        CycleCall call = await(Cycles.call(session, jobId, cycle, newCaller(), "resiliency restart"));
        if (call != CycleCall.FIRST) {
            throw new StoreException(
                    call == CycleCall.COMPLETE
                            ? "job '%s' has completed".formatted(jobId)
                            : "cycle %d of job '%s' has just been called already: try again".formatted(cycle, jobId));
        }
        await(events.record(JobEvent.Kind.CYCLE, "cycle %d: resiliency restart".formatted(cycle)));
        return cycle;
    }
}

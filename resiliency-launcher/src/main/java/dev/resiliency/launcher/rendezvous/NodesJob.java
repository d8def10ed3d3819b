package dev.resiliency.launcher.rendezvous;

import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.inprocess.spi.refound.Foundation;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.inprocess.spi.refound.Vote;
import dev.resiliency.inprocess.spi.refound.VotersJob;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A job of agents, of which one hosted the store. On the next one it is in the next cycle: with the policy {@code hard}, nodes get
 * their seats as in any; otherwise those that are left keep theirs, and nobody waits for the ranks of the others.
 *
 * @param arrival that of this agent
 * @param vote what it remembers as its store is lost
 * @param seat where it would host the store; null if it cannot
 * @param copy of the job's keys; null if this agent keeps none
 * @param iteration in which the ranks of its node are, or were last; -1 if none was in any
 */
record NodesJob(
        String jobId,
        int arrival,
        @Nullable StoreSeat seat,
        Vote vote,
        @Nullable JobCopy copy,
        int iteration) implements VotersJob {
    /** Returns the key of the set of those that live and have come. */
    static String cameKey(String jobId, Founded founded) {
        return founded.cameKey(prefix(jobId));
    }

    /** Beside the keys of the agents, all of which are replaced. */
    private static String prefix(String jobId) {
        return "refound/" + Keys.prefix(jobId) + "/";
    }

    @Override
    public int voter() {
        return arrival;
    }

    @Override
    public boolean isDead() {
        return false;
    }

    /** An agent that leaves accepts the world without it. */
    @Override
    public boolean onlyMembersAccept() {
        return false;
    }

    @Override
    public SessionStore in(SessionStore session) {
        return session;
    }

    @Override
    public String prefix() {
        return prefix(jobId);
    }

    /** One that comes and dies before it has gone on is missed like one that has not come. */
    @Override
    public List<Operation<?>> withVote(SessionStore job, Term term) {
        String gone = Keys.inStore(jobId, Keys.GONE);
        return List.of(
                new Operation.LastWill(List.of(new Operation.AddToSet(gone, IndexSet.of(arrival)))),
                new Operation.AddToSet(iterationsKey(term), iteration < 0 ? IndexSet.empty() : IndexSet.of(iteration)));
    }

    /** Returns the key of the set of the last iterations in which the voters' ranks were. */
    private String iterationsKey(Term term) {
        return prefix() + term + "/iterations";
    }

    @Override
    public CompletableFuture<?> found(
            SessionStore session, Term term, Foundation allowed, int lost, Instant now, Operation<?> mark) {
        JobCopy kept = copy;
        if (seat == null || kept == null || !kept.isWhole()) {
            return CompletableFuture.failedFuture(new StoreException("this agent has no copy of the job's keys"));
        }
        Node self = Node.read(arrival, kept.value(Keys.node(arrival)).text());
        int cycle = Cycles.number(kept.value(Keys.CYCLE));
        Map<String, Value> values = new LinkedHashMap<>();
        Map<Integer, Seat> seats = new HashMap<>();
        long events = 0;
        for (Map.Entry<String, Value> each : kept.values().entrySet()) {
            String key = each.getKey();
            if (key.startsWith(Keys.SEAT_PREFIX)) {
                readSeat(key, each.getValue(), cycle, seats);
            } else {
                values.put(key, each.getValue());
                events = Math.max(events, key.startsWith(Keys.EVENT_PREFIX) ? Keys.numberOfEvent(key) : 0);
            }
        }
        String why = "node %s hosts the store, since the agent that did is gone".formatted(self);
        values.put(Keys.CYCLE, Value.of("%d generation-%s %s".formatted(cycle + 1, term, why)));
        events++;
        String event = "cycle %d: %s".formatted(cycle + 1, why);
        values.put(Keys.event(events), JobEvent.write(now, self.name(), JobEvent.Kind.CYCLE, event));
        values.put(Keys.PLACE, new JobPlace(term, seat).text());
        values.put(Keys.WORLD, Value.of(allowed.base().text()));
        if (allowed.isComplete()) {
            values.put(Keys.END, Value.of("0 " + SeatCoordinator.COMPLETED));
        }
        IndexSet gone = kept.set(Keys.GONE).union(lost == arrival || lost < 0 ? IndexSet.empty() : IndexSet.of(lost));
        List<Operation<?>> agents = new ArrayList<>();
        agents.add(new Operation.DeleteAll("")); // the server may have hosted the job before
        for (String key : JobCopy.SETS) {
            agents.add(new Operation.AddToSet(key, key.equals(Keys.GONE) ? gone : kept.set(key)));
        }
        agents.add(new Operation.Add(
                Keys.ARRIVALS,
                kept.set(Keys.CAME).union(allowed.base().members()).highest() + 1L));
        agents.add(new Operation.Add(Keys.EVENTS, events));
        boolean isHard = Terms.read(kept.value(Keys.TERMS).text()).policy().equals(Scaling.HARD);
        IndexSet living = kept.set(Keys.CAME).minus(gone).minus(kept.set(Keys.DONE));
        seats.keySet().removeIf(each -> !living.contains(each));
        if (!isHard && !seats.isEmpty()) {
            seats.forEach((each, seat) -> values.put(
                    Keys.seat(cycle + 1, each),
                    Value.of(new Seat(cycle + 1, seat.group(), seat.nodes(), seat.processes()).text())));
            agents.add(new Operation.AddToSet(Keys.TABLES, IndexSet.of(0)));
            if (seats.values().stream().noneMatch(seat -> seat.group() == 0)) { // otherwise its agent says that
                values.put(
                        Keys.master(cycle + 1),
                        Value.of(Master.here(self.address()).text()));
            }
        }
        agents.add(new Operation.MultiSet(values));
        Batch batch = session.batch();
        Operation.withKeys(agents, key -> Keys.inStore(jobId, key)).forEach(batch::add);
        batch.add(mark);
        return goOnWithout(isHard ? IndexSet.empty() : lostRanks(seats.values()), kept, session, term)
                .thenCompose(done -> batch.submit(session.timeout()));
    }

    private static void readSeat(String key, Value value, int cycle, Map<Integer, Seat> seats) {
        String prefix = Keys.seats(cycle);
        if (key.startsWith(prefix)) {
            seats.put(Integer.parseInt(key.substring(prefix.length())), Seat.read(value.text()));
        }
    }

    /** Returns the ranks of nodes that nobody has. */
    private static IndexSet lostRanks(Iterable<Seat> seats) {
        IndexSet there = IndexSet.empty();
        int worldSize = 0;
        for (Seat seat : seats) {
            worldSize = seat.worldSize();
            if (seat.isFounder()) {
                there = there.union(IndexSet.of(
                        IntStream.range(0, seat.processes()).map(seat::rank).toArray()));
            }
        }
        return there.isEmpty() ? there : IndexSet.range(0, worldSize).minus(there);
    }

    /** The ranks' job has keys of its own, which must be there before the foundation is known. */
    private CompletableFuture<?> goOnWithout(IndexSet ranks, JobCopy kept, SessionStore session, Term term) {
        if (kept.generation().isEmpty()) {
            return CompletableFuture.completedFuture(null); // no rank has called a Wrapper
        }
        Batch reading = session.batch();
        Batch.Handle<IndexSet> iterations = reading.add(new Operation.Members(iterationsKey(term)));
        return reading.submit(session.timeout()).thenCompose(read -> {
            Batch batch = session.batch();
            int latest = read.get(iterations).highest();
            LaunchedJob.foundedAnew(jobId, kept.generation(), latest, ranks).forEach(batch::add);
            return batch.submit(session.timeout());
        });
    }

    /** Whoever counts as dead there learns it as any agent does. */
    @Override
    public CompletableFuture<Boolean> goOn(SessionStore job, Term term, KnownWorld base) {
        return CompletableFuture.completedFuture(true);
    }
}

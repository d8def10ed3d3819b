package dev.resiliency.launcher.rendezvous;

import dev.resiliency.launcher.rendezvous.SeatingStage.Action;
import dev.resiliency.launcher.rendezvous.SeatingStage.Event;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who votes on where the job lives, as one agent decides it, accepts it, and waits for the others to accept it. Confined to the thread
 * of the agent.
 */
final class AgentWorlds {
    /** So many of the lowest agents may be successors. */
    private static final int MOST_SERVERS = 16;

    private final SessionStore session;
    private final SessionStore store;
    private final int arrival;
    private final AgentThread thread;
    private final AgentVoter voter;
    private final Consumer<? super Event> events;
    private final Runnable onAgreed;
    private final Supplier<IndexSet> gone;
    /** What is not accepted by half yet; null if nothing is awaited. */
    private @Nullable Half awaited;

    /**
     * Creates the part of an agent.
     *
     * @param session of the store, without a prefix
     * @param store the same, with the prefix of the job's agents
     * @param events receives what has become of worlds
     * @param onAgreed called when a world is agreed that was in doubt, after its event
     * @param gone returns those that are gone, as far as this agent knows
     */
    AgentWorlds(
            SessionStore session,
            SessionStore store,
            int arrival,
            AgentThread thread,
            AgentVoter voter,
            Consumer<? super Event> events,
            Runnable onAgreed,
            Supplier<IndexSet> gone) {
        this.session = session;
        this.store = store;
        this.arrival = arrival;
        this.thread = thread;
        this.voter = voter;
        this.events = events;
        this.onAgreed = onAgreed;
        this.gone = gone;
    }

    /** Rule 12: the lowest agents on other hosts are the next to host the store. */
    void decide(Action.DecideWorld decision) {
        Batch reading = store.batch();
        Map<Integer, Handle<Value>> servers = new TreeMap<>();
        decision.members().stream()
                .limit(MOST_SERVERS)
                .forEach(each -> servers.put(each, reading.add(Keys.peek(Keys.server(each)))));
        thread.then(reading.submit(store.timeout()), results -> {
            Map<Integer, String> seats = new TreeMap<>();
            servers.forEach(
                    (each, server) -> seats.put(each, results.get(server).text()));
            AgentWorld next = voter.next(decision.before(), decision.members(), seats, session.address());
            Value before = decision.before() == null
                    ? Value.empty()
                    : Value.of(decision.before().text());
            Batch batch = store.batch();
            batch.add(new Operation.CompareAndSet(Keys.WORLD, before, Value.of(next.text())));
            thread.then(batch.submit(store.timeout()), done -> events.accept(new Event.Decided(true)));
        });
    }

    /** Adds what others say: the worlds that they decide, and where the job lives. */
    void addWatches(Batch batch, NodeListener listener) {
        batch.add(new Operation.Watch(Keys.WORLD, thread.values(this::decided)));
        batch.add(new Operation.Watch(Keys.PLACE, thread.values(value -> {
            JobPlace place = JobPlace.read(value);
            if (place != null && !place.isAt(session)) {
                listener.moved(place.address());
            }
        })));
    }

    /**
     * Rule 12: whoever was a voter before accepts it, and waits until half have; so do those that become voters, and one that has left
     * and keeps the store until the others can do without it.
     */
    private void decided(Value value) {
        AgentWorld world = AgentWorld.read(value.text());
        events.accept(new Event.WorldDecided(world));
        if (voter.knows(world)) {
            events.accept(new Event.WorldAgreed(world.number()));
            return;
        }
        boolean isVoter = world.before().contains(arrival);
        boolean isConcerned = isVoter || world.members().contains(arrival);
        if (isConcerned) {
            voter.accept(world, session);
        } else if (!gone.get().contains(arrival)) {
            return; // it becomes a voter with a later one
        }
        if (world.before().isEmpty()) {
            agree(world, isConcerned);
            return;
        }
        awaitHalf(new Half(Keys.entered(world.number()), world.before()), isVoter, () -> agree(world, isConcerned));
    }

    private void agree(AgentWorld world, boolean isConcerned) {
        if (isConcerned) {
            voter.agree(world);
        }
        events.accept(new Event.WorldAgreed(world.number()));
        onAgreed.run();
    }

    /** Rule 13: accepts that the job is complete; does something once half of the voters have. */
    void complete(AgentWorld world, Runnable next) {
        voter.complete();
        awaitHalf(new Half(Keys.ACKNOWLEDGED, world.members()), world.members().contains(arrival), next);
    }

    private void awaitHalf(Half half, boolean isVoter, Runnable next) {
        awaited = half;
        thread.whenDone(
                arrive(half, isVoter ? IndexSet.of(arrival) : IndexSet.empty(), voter.limit()), (done, failure) -> {
                    awaited = half.equals(awaited) ? null : awaited;
                    if (failure == null) {
                        next.run();
                    } else {
                        thread.failed("too few agents have accepted what the store has decided: ", failure);
                    }
                });
        lookWhoIsLeft();
    }

    private CompletableFuture<?> arrive(Half half, IndexSet self, Duration limit) {
        Batch batch = store.batch();
        batch.add(new Operation.Arrive(
                Barrier.of(half.name(), half.of()).excusing(Keys.CEDED).ofHalf(), self, true));
        return batch.submit(limit);
    }

    /**
     * Rule 12: gives up the store if too few are left who could still accept; some that are gone may have done so before. A host that was
     * suspended, or cut off, learns here that the others may have gone on: each moment for which its ranks did so, too, there would be two
     * jobs.
     */
    void lookWhoIsLeft() {
        Half half = awaited;
        if (half == null || half.isIn(half.of().minus(gone.get()))) {
            return;
        }
        thread.whenDone(arrive(half, IndexSet.empty(), Duration.ZERO), (done, failure) -> {
            if (failure instanceof BarrierTimeoutException late
                    && half.equals(awaited)
                    && !half.isIn(half.of().minus(gone.get().minus(late.arrived())))) {
                thread.failed("too few agents are left to accept what the store has decided: ", failure);
            }
        });
    }

    /** Half of some agents, who accept something. */
    private record Half(String name, IndexSet of) {
        boolean isIn(IndexSet some) {
            return 2 * some.size() >= of.size();
        }
    }
}

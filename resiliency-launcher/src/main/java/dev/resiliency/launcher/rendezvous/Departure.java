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
 * How an agent leaves its job: it says so, and stays if the others need its store. Confined to the thread that runs the agent.
 */
final class Departure {
    private final SessionStore store;
    private final NodeSettings settings;
    private final NodeListener listener;
    private final AgentThread thread;
    private final SeatCoordinator coordinator;
    private Stay stay = Stay.BRIEFLY;
    /** Whether the store has received the goodbye, and this agent has not been free since. */
    private boolean lingers;

    Departure(
            SessionStore store,
            NodeSettings settings,
            SeatCoordinator coordinator,
            NodeListener listener,
            AgentThread thread) {
        this.store = store;
        this.settings = settings;
        this.coordinator = coordinator;
        this.listener = listener;
        this.thread = thread;
    }

    /** Leaves: see {@link NodeSession#leave}. */
    void leave(boolean completed, Stay until) {
        stay = until;
        int arrival = coordinator.arrival();
        IndexSet self = IndexSet.of(arrival);
        Batch batch = store.batch();
        // It is not lost, so no other agent has to say that.
        batch.add(new Operation.CompareAndSet(Keys.once(Keys.loss(arrival)), Value.empty(), Value.of(store.session())));
        batch.add(new Operation.AddToSet(Keys.CEDED, self));
        batch.add(new Operation.AddToSet(completed ? Keys.DONE : Keys.LEFT, self));
        if (!completed) {
            batch.add(new Operation.AddToSet(Keys.GONE, self));
        }
        Map<String, Handle<IndexSet>> sets = new LinkedHashMap<>();
        for (String key : List.of(Keys.DONE, Keys.GONE, Keys.CAME, Keys.STOPPING)) {
            sets.put(key, batch.add(new Operation.Members(key)));
        }
        if (until != Stay.BRIEFLY) {
            batch.add(coordinator.watch(Keys.DONE));
            batch.add(coordinator.watch(Keys.STOPPING)); // others need not know it, of perhaps thousands at once
        }
        thread.whenDone(batch.submit(settings.goodbyeLimit()), (results, failure) -> {
            if (results == null) {
                listener.free();
                return;
            }
            sets.forEach((key, members) -> coordinator.learn(key, results.get(members)));
            lingers = true;
            if (until != Stay.BRIEFLY) {
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
                    nodes -> listener.noted("this agent hosts the store, so it waits "
                            + (stay == Stay.UNTIL_LAST ? "for %s" : "until %s can go on without it")
                                    .formatted(Nodes.names(nodes))));
        }
    }

    /** Looks whether this agent is free; called whenever the sets of the others have grown. */
    void look() {
        if (lingers && isFree()) {
            lingers = false;
            listener.free();
        }
    }

    /** Rule 8: those that are about to leave, too, could not be relied on to found the next store. */
    private boolean isFree() {
        Roster roster = coordinator.roster();
        return stay == Stay.BRIEFLY
                || roster.living().isEmpty()
                || (stay == Stay.UNTIL_REPLACED
                        && coordinator.isReplaced()
                        && roster.staying().equals(roster.living()));
    }
}

package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * How a node that comes gets its name, by which it has its former place. The agent that has the name already is its own former one
 * if it has ended, or is at the same address. Otherwise it may be another host of the same name, such as a cloned machine: that one
 * keeps it, if it still lives after its lease; a node that has moved is then gone. Confined to the thread of the agent.
 */
final class NameClaim {
    /** A lease does not end to the moment, least of all on a busy host. */
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final SessionStore store;
    private final NodeSettings settings;
    private final Node self;
    private final NodeListener listener;
    private final AgentThread thread;
    private final Consumer<IndexSet> granted;
    /** Who has the name and is waited for; empty if nobody is. */
    private IndexSet awaited = IndexSet.empty();

    /**
     * Creates a claim.
     *
     * @param granted receives the arrival that had the name before, unless its agent has ended; empty for none. Not called if the node is
     *     refused
     */
    NameClaim(
            SessionStore store,
            NodeSettings settings,
            Node self,
            NodeListener listener,
            AgentThread thread,
            Consumer<IndexSet> granted) {
        this.store = store;
        this.settings = settings;
        this.self = self;
        this.listener = listener;
        this.thread = thread;
        this.granted = granted;
    }

    void make() {
        replace(Value.empty());
    }

    private void replace(Value former) {
        Value own = Value.of(self.arrival());
        Batch batch = store.batch();
        batch.add(new Operation.Set(Keys.node(self.arrival()), Value.of(self.text())));
        Handle<Value> standing = batch.add(new Operation.CompareAndSet(Keys.name(self.name()), former, own));
        Handle<IndexSet> done = batch.add(new Operation.Members(Keys.DONE));
        Handle<IndexSet> gone = batch.add(new Operation.Members(Keys.GONE));
        thread.then(batch.submit(store.timeout()), results -> {
            Value owner = results.get(standing);
            IndexSet ended = results.get(done).union(results.get(gone));
            IndexSet arrival = arrival(owner);
            if (owner.equals(own)) {
                arrival(former).forEach(each -> store.send(List.of(new Operation.Delete(Keys.ranks(each)))));
                granted.accept(arrival(former).minus(ended));
            } else if (ended.containsAll(arrival)) {
                replace(owner);
            } else {
                thread.then(Nodes.read(store, arrival), nodes -> compare(nodes.get(0), owner));
            }
        });
    }

    private static IndexSet arrival(Value owner) {
        return owner.size() == 0 ? IndexSet.empty() : IndexSet.of(Integer.parseInt(owner.text()));
    }

    private void compare(Node former, Value owner) {
        if (former.address().equals(self.address())) {
            replace(owner);
            return;
        }
        awaited = IndexSet.of(former.arrival());
        listener.noted("node %s is at another address than this one (%s): this node waits for %d s whether it is gone"
                .formatted(former, self.address(), settings.lease().toSeconds()));
        Consumer<Change> watcher = thread.members(members -> {
            if (members.containsAll(awaited) && !awaited.isEmpty()) {
                awaited = IndexSet.empty();
                replace(owner);
            }
        });
        store.send(List.of(new Operation.Watch(Keys.GONE, watcher), new Operation.Watch(Keys.DONE, watcher)));
        Duration limit = settings.lease().plus(MARGIN);
        Executor timer = CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS);
        timer.execute(() -> thread.later(() -> judge(former, owner)));
    }

    private void judge(Node former, Value owner) {
        if (!awaited.contains(former.arrival())) {
            return;
        }
        awaited = IndexSet.empty();
        Batch batch = store.batch();
        Handle<IndexSet> came = batch.add(new Operation.Members(Keys.CAME));
        thread.then(batch.submit(store.timeout()), results -> {
            if (results.get(came).contains(former.arrival())) {
                listener.refused(
                        "node %s lives, and has the same name as this node at %s: give each host a name of its own, or name them with --node-name"
                                .formatted(former, self.address()));
            } else {
                replace(owner); // it has ended before it came
            }
        });
    }
}

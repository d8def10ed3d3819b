package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The key by which a node says that it is unhealthy, whether it has arrived or not. It outlives its agent, until the next agent of
 * the node finds it healthy. Confined to the thread of the agent.
 */
final class HealthMark {
    private final SessionStore store;
    private final String node;
    private final EventLog events;
    private final AgentThread thread;
    private boolean isSet;

    HealthMark(SessionStore store, String node, EventLog events, AgentThread thread) {
        this.store = store;
        this.node = node;
        this.events = events;
        this.thread = thread;
    }

    /** Sets it. One event is enough until the node is healthy again. */
    @SuppressWarnings("FutureReturnValueIgnored") // for people; whether that succeeds does not matter
    void set(String problem) {
        Batch batch = store.batch();
        batch.add(new Operation.Set(Keys.unhealthy(node), Value.of(problem)));
        batch.submit(store.timeout());
        if (!isSet) {
            isSet = true;
            events.record(JobEvent.Kind.NODE_UNHEALTHY, "node %s is unhealthy: %s".formatted(node, problem));
        }
    }

    /** Returns the nodes that are marked, in the order of their names, and why. */
    static CompletableFuture<Map<String, String>> read(SessionStore store) {
        Batch batch = store.batch();
        Handle<List<String>> marked = batch.add(new Operation.Keys(Keys.unhealthy("")));
        return batch.submit(store.timeout()).thenCompose(results -> read(store, results.get(marked)));
    }

    private static CompletableFuture<Map<String, String>> read(SessionStore store, List<String> keys) {
        Batch batch = store.batch();
        Map<String, Handle<Value>> problems = new TreeMap<>();
        for (String key : keys) {
            problems.put(key.substring(Keys.unhealthy("").length()), batch.add(Keys.peek(key)));
        }
        return batch.submit(store.timeout()).thenApply(results -> {
            Map<String, String> read = new TreeMap<>();
            problems.forEach((node, problem) -> {
                if (results.get(problem).size() > 0) { // else it has just been removed
                    read.put(node, results.get(problem).text());
                }
            });
            return read;
        });
    }

    /** Removes it, also if an earlier agent of the node has set it. */
    @SuppressWarnings("FutureReturnValueIgnored") // the event is for people
    void remove() {
        isSet = false;
        Batch batch = store.batch();
        Handle<Value> before = batch.add(Keys.peek(Keys.unhealthy(node)));
        batch.add(new Operation.Delete(Keys.unhealthy(node)));
        thread.then(batch.submit(store.timeout()), results -> {
            if (results.get(before).size() > 0) {
                events.record(JobEvent.Kind.NODE_HEALTHY, "node %s is healthy again".formatted(node));
            }
        });
    }
}

package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Reads what nodes have announced of themselves. */
final class Nodes {
    private static final int MOST_NAMES = 20;

    private Nodes() {}

    /** Returns the nodes with these arrivals, which must have announced themselves, in their order. */
    static CompletableFuture<List<Node>> read(SessionStore store, IndexSet arrivals) {
        Batch batch = store.batch();
        Handle<List<Value>> values = batch.add(
                new Operation.MultiGet(arrivals.stream().mapToObj(Keys::node).toList()));
        return batch.submit(store.timeout()).thenApply(results -> {
            List<Node> nodes = new ArrayList<>();
            List<Value> texts = results.get(values);
            arrivals.forEach(arrival ->
                    nodes.add(Node.read(arrival, texts.get(nodes.size()).text())));
            return nodes;
        });
    }

    /** Returns the names, for people; not all of very many. */
    static String names(Collection<Node> nodes) {
        String names = nodes.stream().limit(MOST_NAMES).map(Node::toString).collect(Collectors.joining(", "));
        return nodes.size() <= MOST_NAMES ? names : names + " and " + (nodes.size() - MOST_NAMES) + " more";
    }
}

package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.SessionStore;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Tells which node has which seat. */
public final class NodeNames {
    private NodeNames() {}

    /**
     * Returns the names of the nodes by their group ranks.
     *
     * @param store with the prefix of the job's agents
     */
    public static CompletableFuture<Map<Integer, String>> byGroup(SessionStore store, int cycle) {
        return SeatReader.read(store, cycle).thenCompose(table -> {
            Map<Integer, Seat> seats = table.seats();
            IndexSet seated = IndexSet.of(
                    seats.keySet().stream().mapToInt(Integer::intValue).toArray());
            return Nodes.read(store, seated).thenApply(nodes -> {
                Map<Integer, String> names = new HashMap<>();
                // Of two nodes with one seat, the later one has it: the other is gone.
                for (Node node : nodes) {
                    Seat seat = seats.get(node.arrival());
                    if (seat != null) {
                        names.put(seat.group(), node.name());
                    }
                }
                return names;
            });
        });
    }
}

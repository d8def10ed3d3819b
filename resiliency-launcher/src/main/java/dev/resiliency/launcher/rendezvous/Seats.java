package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Reads the seats of a cycle. */
final class Seats {
    private Seats() {}

    /** Returns the seats by the arrivals of their nodes, in a map that may be changed. */
    static CompletableFuture<Map<Integer, Seat>> read(SessionStore store, int cycle) {
        Batch batch = store.batch();
        Handle<List<String>> keys = batch.add(new Operation.Keys(Keys.seats(cycle)));
        return batch.submit(store.timeout()).thenCompose(results -> read(store, cycle, results.get(keys)));
    }

    private static CompletableFuture<Map<Integer, Seat>> read(SessionStore store, int cycle, List<String> keys) {
        Batch batch = store.batch();
        Handle<List<Value>> values = batch.add(new Operation.MultiGet(keys));
        return batch.submit(store.timeout()).thenApply(results -> {
            Map<Integer, Seat> seats = new LinkedHashMap<>();
            for (int i = 0; i < keys.size(); i++) {
                int arrival =
                        Integer.parseInt(keys.get(i).substring(Keys.seats(cycle).length()));
                seats.put(arrival, Seat.read(results.get(values).get(i).text()));
            }
            return seats;
        });
    }
}

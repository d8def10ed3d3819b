package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Reads the seats of a cycle. */
final class SeatReader {
    private SeatReader() {}

    /** Reads the number first (rule 3): what is decided while the seats are read makes the table outdated. */
    static CompletableFuture<SeatTable> read(SessionStore store, int cycle) {
        Batch batch = store.batch();
        Handle<IndexSet> tables = batch.add(new Operation.Members(Keys.TABLES));
        Handle<List<String>> keys = batch.add(new Operation.Keys(Keys.seats(cycle)));
        return batch.submit(store.timeout())
                .thenCompose(results -> read(store, cycle, results.get(keys))
                        .thenApply(seats -> new SeatTable(results.get(tables).size(), cycle, seats)));
    }

    /** Does not wait for those that were removed meanwhile, since a later cycle has begun. */
    private static CompletableFuture<Map<Integer, Seat>> read(SessionStore store, int cycle, List<String> keys) {
        Batch batch = store.batch();
        List<Handle<Value>> values =
                keys.stream().map(key -> batch.add(Keys.peek(key))).toList();
        return batch.submit(store.timeout()).thenApply(results -> {
            Map<Integer, Seat> seats = new HashMap<>();
            for (int i = 0; i < keys.size(); i++) {
                Value seat = results.get(values.get(i));
                if (seat.size() > 0) {
                    int arrival = Integer.parseInt(
                            keys.get(i).substring(Keys.seats(cycle).length()));
                    seats.put(arrival, Seat.read(seat.text()));
                }
            }
            return seats;
        });
    }
}

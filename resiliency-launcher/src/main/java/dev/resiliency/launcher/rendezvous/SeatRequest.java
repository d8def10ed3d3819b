package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Batch.Results;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How an agent gets the seat of its node in a cycle. Confined to the thread of the agent. */
final class SeatRequest {
    private final SessionStore store;
    private final NodeSettings settings;
    private final AgentThread thread;
    private final NodeListener listener;
    private final int arrival;
    private int cycle;
    /** Null before the first. */
    private @Nullable CompletableFuture<?> request;

    private boolean isWithdrawn;
    /** Whether enough nodes take part without this one. */
    private boolean waits;

    SeatRequest(SessionStore store, NodeSettings settings, AgentThread thread, NodeListener listener, int arrival) {
        this.store = store;
        this.settings = settings;
        this.thread = thread;
        this.listener = listener;
        this.arrival = arrival;
    }

    /** Says that the processes of this node have ended in all cycles before this one, and waits for its seat in it. */
    void make(int inCycle) {
        cancel();
        cycle = inCycle;
        Batch batch = store.batch();
        batch.add(new Operation.AddToSet(Keys.ready(inCycle), IndexSet.of(arrival)));
        Handle<Value> seat = batch.add(new Operation.Get(Keys.seat(inCycle, arrival)));
        CompletableFuture<Results> current = batch.submit(settings.timeout());
        request = current;
        thread.whenDone(current, (results, failure) -> {
            if (failure == null) {
                waits = false;
                listener.seated(Seat.read(results.get(seat).text()));
            } else if (failure instanceof StoreTimeoutException && waits) {
                make(cycle);
            } else if (failure instanceof StoreTimeoutException) {
                refuse();
            }
        });
    }

    /** Waits without a limit from now on, as enough nodes take part. */
    void letWait() {
        if (!isWithdrawn) {
            waits = true;
            listener.noted("as many nodes as may take part are there: this one waits until another leaves, or"
                    + " 'resiliency scale' admits more");
        }
    }

    /** Withdraws the request, as this agent leaves. */
    void withdraw() {
        isWithdrawn = true;
        cancel();
    }

    private void cancel() {
        if (request != null) {
            request.cancel(true);
        }
    }

    private void refuse() {
        Batch batch = store.batch();
        Handle<IndexSet> came = batch.add(new Operation.Members(Keys.CAME));
        Handle<IndexSet> gone = batch.add(new Operation.Members(Keys.GONE));
        thread.then(batch.submit(store.timeout()), results -> {
            IndexSet living = results.get(came).minus(results.get(gone));
            thread.then(
                    Nodes.read(store, living),
                    nodes -> listener.nodesMissing("%s came within %s s: %s"
                            .formatted(
                                    Seating.shortage(settings.terms(), nodes),
                                    settings.timeout().toSeconds(),
                                    Nodes.names(nodes))));
        });
    }
}

package dev.resiliency.examples.bench.measure;

import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.List;
import java.util.function.Consumer;

/** The store of a rank, which notices how far its process has come on its way into the job. */
public final class StagedStore extends ForwardingStore {
    /** How far a process has come on its way into its job. */
    public enum Stage {
        /** It is connected to the store. */
        CONNECTED,
        /** Its monitor process watches it. */
        MONITORED
    }

    private final Consumer<Stage> reached;

    private StagedStore(SessionStore store, Consumer<Stage> reached) {
        super(store);
        this.reached = reached;
    }

    /** Returns a factory that passes on the stages that a process reaches, on its threads. */
    public static StoreFactory over(StoreFactory factory, Consumer<Stage> reached) {
        return (environment, call) -> {
            SessionStore store = factory.open(environment, call);
            reached.accept(Stage.CONNECTED);
            return new StagedStore(store, reached);
        };
    }

    /** The session gets its lease when the monitor process, which renews it, watches the rank. */
    @Override
    public void send(List<? extends Operation<?>> operations) {
        if (operations.stream().anyMatch(Operation.Lease.class::isInstance)) {
            reached.accept(Stage.MONITORED);
        }
        super.send(operations);
    }
}

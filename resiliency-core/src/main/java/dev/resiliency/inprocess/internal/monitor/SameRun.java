package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.inprocess.internal.monitor.ReconnectingStore.Connector;
import dev.resiliency.inprocess.internal.monitor.ReconnectingStore.StoreReplacedException;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * Opens sessions only on the store of the run of the job to which this process's rank belongs. After a store server was
 * started anew on its port, the report of a death would end a healthy rank of another run. A session never changes its
 * server, so each is checked once.
 */
final class SameRun implements Connector {
    private final Connector connector;
    private final MonitorOptions options;

    SameRun(Connector connector, MonitorOptions options) {
        this.connector = connector;
        this.options = options;
    }

    @Override
    public SessionStore connect() throws InterruptedException {
        SessionStore session = connector.connect();
        boolean isSame = false;
        try {
            isSame = holdsRun(session);
        } finally {
            if (!isSame) {
                session.close();
            }
        }
        if (!isSame) {
            throw new StoreReplacedException("the store at %s does not hold run %s of the job, but another or none"
                    .formatted(options.store(), options.identity().run()));
        }
        return session;
    }

    private boolean holdsRun(SessionStore session) throws InterruptedException {
        try {
            return new RestartStore(new PrefixStore(options.prefix(), session), options.identity(), List.of())
                    .holdsRun()
                    .get();
        } catch (ExecutionException e) {
            throw new StoreException("the run of the job could not be read: " + e.getCause(), e.getCause());
        }
    }
}

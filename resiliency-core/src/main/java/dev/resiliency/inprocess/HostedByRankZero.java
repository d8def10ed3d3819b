package dev.resiliency.inprocess;

import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.tcp.TcpStore;
import java.time.Duration;

/**
 * Has rank 0 host the store, and the others connect to it. Where there are no others, and no port at which to expect any, a
 * store in memory does the same without loading any network code.
 */
record HostedByRankZero(Duration connectTimeout) implements StoreFactory {

    @Override
    public SessionStore open(Environment environment, int call) throws InterruptedException {
        if (environment.masterPort() == 0) {
            return InMemoryStore.create();
        }
        String scope = "call-" + call;
        TcpStore.Builder client = TcpStore.builder()
                .name("r" + environment.rank())
                .scope(scope)
                .host(environment.masterAddress())
                .connectTimeout(connectTimeout);
        if (environment.rank() == 0) {
            return HostedStore.open(environment, scope, client, connectTimeout);
        }
        try {
            return client.port(environment.masterPort()).connect();
        } catch (StoreLostException unreachable) {
            throw new StoreLostException(
                    unreachable.address(),
                    "%s: rank 0 hosts it there, so MASTER_ADDR and MASTER_PORT must be the same for all ranks; here they are %s and %d"
                            .formatted(unreachable.getMessage(), environment.masterAddress(), environment.masterPort()),
                    null);
        }
    }

    @Override
    public void leave(SessionStore store, boolean mayBeFirst) {
        if (store instanceof HostedStore hosted) {
            hosted.closeSessionOnly(mayBeFirst);
        } else {
            store.close();
        }
    }
}

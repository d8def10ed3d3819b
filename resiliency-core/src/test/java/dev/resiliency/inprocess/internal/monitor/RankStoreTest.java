package dev.resiliency.inprocess.internal.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A rank that moves from one store to another. */
class RankStoreTest {
    private final InMemoryStore first = InMemoryStore.create();
    private final InMemoryStore next = InMemoryStore.create();
    private boolean isReachable = true;
    private int connections;

    @AfterEach
    void close() {
        first.close();
        next.close();
    }

    private MonitorOptions options(int port) {
        return SameRunTest.options("00c0ffee", new StoreAddress("127.0.0.1", port, "call-0"), first.renewal());
    }

    private RankStore moved() throws Exception {
        MonitorOptions before = options(1);
        RankStore store =
                new RankStore(before, first.newSession(), this::connect, MonitorLog.open(null, before.identity()));
        store.move(options(2));
        return store;
    }

    private SessionStore connect(MonitorOptions options) {
        connections++;
        if (!isReachable) {
            throw new StoreException("nobody listens at " + options.store());
        }
        return next.newSession();
    }

    @Test
    void connectsToTheNextStoreWithTheFirstRequestThere() throws Exception {
        try (RankStore store = moved()) {
            assertThat(connections).isZero();

            @Nullable SessionStore session = store.session();

            assertThat(session).isNotNull().isSameAs(store.session());
            assertThat(connections).isOne();
        }
    }

    @Test
    void triesAgainWithTheNextRequest() throws Exception {
        try (RankStore store = moved()) {
            isReachable = false;
            assertThat(store.job()).isNull();
            assertThat(store.session()).isNull();
            isReachable = true;

            assertThat(store.job()).isNotNull();
            assertThat(connections).isEqualTo(3);
        }
    }
}

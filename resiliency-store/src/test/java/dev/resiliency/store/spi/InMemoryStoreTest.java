package dev.resiliency.store.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.StoreContract;
import dev.resiliency.store.Value;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class InMemoryStoreTest {

    @Nested
    class AsAStore extends StoreContract {
        private final InMemoryStore base = InMemoryStore.create();

        @AfterEach
        void closeBase() {
            base.close();
        }

        @Override
        protected Session open() {
            InMemoryStore store = base.newSession();
            return new Session(store, store::close, store::abandon);
        }
    }

    @Nested
    class UnderAPrefix extends StoreContract {
        private final InMemoryStore base = InMemoryStore.create();

        @AfterEach
        void closeBase() {
            base.close();
        }

        @Override
        protected Session open() {
            InMemoryStore store = base.newSession();
            SessionStore inner = new PrefixStore("inner", new PrefixStore("outer", store));
            return new Session(inner, store::close, store::abandon);
        }
    }

    @Test
    void noThreadIsLeftBehind() throws Exception {
        InMemoryStore store = InMemoryStore.create(Duration.ofMinutes(1));
        InMemoryStore another = store.newSession();
        another.execute(new Operation.Lease(Duration.ofMinutes(1)), store.timeout());
        assertThat(timerThreads()).isPositive();

        store.close();
        another.close();

        Awaitility.await().until(() -> timerThreads() == 0);
    }

    @Test
    void defaultLimitIsConfigurable() {
        try (InMemoryStore store = InMemoryStore.create(Duration.ofSeconds(7))) {
            assertThat(store.timeout()).isEqualTo(Duration.ofSeconds(7));
            assertThat(store.newSession().timeout()).isEqualTo(Duration.ofSeconds(7));
        }
    }

    @Test
    @Timeout(20)
    void listenerThatWaitsForItsStoreIsRefused() throws Exception {
        try (InMemoryStore store = InMemoryStore.create()) {
            AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
            store.watch("key", change -> {
                try {
                    store.get("another key", store.timeout());
                } catch (InterruptedException | RuntimeException refused) {
                    thrown.set(refused);
                }
            });

            store.set("key", Value.of("changed"));

            assertThat(thrown.get())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("a listener must not wait for the store");
        }
    }

    @Test
    @Timeout(20)
    void listenerMayWaitForAnotherSession() throws Exception {
        try (InMemoryStore store = InMemoryStore.create();
                InMemoryStore another = store.newSession()) {
            AtomicReference<@Nullable Value> read = new AtomicReference<>();
            store.watch("key", change -> {
                try {
                    read.set(another.get("key"));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });

            store.set("key", Value.of("changed"));

            assertThat(read.get()).isEqualTo(Value.of("changed"));
        }
    }

    private static long timerThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("resiliency-store-timer"))
                .count();
    }
}

package dev.resiliency.inprocess.internal.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.resiliency.inprocess.internal.monitor.ReconnectingStore.StoreReplacedException;
import dev.resiliency.inprocess.internal.protocol.Enrollment;
import dev.resiliency.inprocess.internal.protocol.Generation;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stores of this run, of another one, and of none. */
class SameRunTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String PREFIX = "call-0";

    private final InMemoryStore store = InMemoryStore.create(LIMIT);
    private boolean closed;

    @AfterEach
    void close() {
        store.close();
    }

    /** Returns those of a monitor process of rank 1 of 2. */
    static MonitorOptions options(String run, @Nullable StoreAddress address, Operation.Renew renewal) {
        return new MonitorOptions(
                new Identity(1, 2, Generation.FIRST, run),
                1,
                "",
                Path.of("none"),
                address,
                null,
                PREFIX,
                renewal,
                LIMIT,
                LIMIT,
                LIMIT,
                LIMIT,
                LIMIT,
                LIMIT,
                null,
                null);
    }

    private SessionStore connectTo(String run) throws InterruptedException {
        MonitorOptions options = options(run, null, store.renewal());
        SessionStore session = new ForwardingStore(store.newSession()) {
            @Override
            public void close() {
                closed = true;
                super.close();
            }
        };
        return new SameRun(() -> session, options).connect();
    }

    private String claim() {
        return new Enrollment(new PrefixStore(PREFIX, store), 1, 2, "", 0, LIMIT, true, OptionalInt.empty())
                .enroll()
                .join()
                .orElseThrow()
                .run();
    }

    private void deleteGeneration() {
        store.submit(List.of(new Operation.DeleteAll("call-0/0/")), LIMIT).join();
    }

    @Test
    void sessionOnTheStoreOfTheSameRunIsUsed() throws Exception {
        try (SessionStore session = connectTo(claim())) {
            assertThat(session.members("call-0/0/terminated").isEmpty()).isTrue();
            assertThat(closed).isFalse();
        }
    }

    /** As by the lowest rank of a job that completes while this monitor process starts. */
    @Test
    void sessionOnTheStoreOfTheJobIsUsedOnceItIsComplete() throws Exception {
        String run = claim();
        store.addToSet("call-0/finished", IndexSet.of(0));
        deleteGeneration();

        try (SessionStore session = connectTo(run)) {
            assertThat(session.members("call-0/finished")).isEqualTo(IndexSet.of(0));
        }
    }

    /** As by the first leader of the generation that those founded who came later. */
    @Test
    void sessionOnTheStoreOfTheJobIsUsedOnceItHasMovedOn() throws Exception {
        String run = claim();
        store.set("call-0/generation", "1 100 1");
        deleteGeneration();

        try (SessionStore session = connectTo(run)) {
            assertThat(session.members("call-0/0/terminated").isEmpty()).isTrue();
        }
    }

    @Test
    void sessionOnTheStoreOfAnotherRunIsClosed() {
        claim();

        assertThatExceptionOfType(StoreReplacedException.class)
                .isThrownBy(() -> connectTo("00c0ffee"))
                .withMessageContaining("does not hold run 00c0ffee of the job, but another or none");

        assertThat(closed).isTrue();
    }

    @Test
    void sessionOnAnEmptyStoreIsClosedAndFoundsNoRun() throws Exception {
        assertThatExceptionOfType(StoreReplacedException.class).isThrownBy(() -> connectTo("00c0ffee"));

        assertThat(closed).isTrue();
        assertThat(store.keys("")).isEmpty();
    }

    @Test
    void storeThatFailsBeforeItsRunIsKnownIsTriedAgain() throws Exception {
        store.addToSet("call-0/0/run", IndexSet.of(1)); // cannot be read as a value

        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> connectTo("00c0ffee"));

        assertThat(closed).isTrue();
    }
}

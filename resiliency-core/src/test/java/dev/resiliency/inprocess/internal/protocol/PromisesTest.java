package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.InMemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The promises of agents, as the store keeps them. */
class PromisesTest {
    private final InMemoryStore store = InMemoryStore.create(Duration.ofSeconds(20));
    private final InMemoryStore session = store.newSession();
    private final Promises promises = new Promises(session, Generation.FIRST, 3);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void promiseIsANumberThatNobodyElseHas() throws Exception {
        assertThat(promises.make()).isCompletedWithValue(3);
        assertThat(Enrollment.drawNumber(store, new JobKeys(Generation.FIRST), 3))
                .isCompletedWithValue(4);
        assertThat(new Promises(store, Generation.FIRST, 3).make()).isCompletedWithValue(5);

        assertThat(store.members("0/promised")).isEqualTo(IndexSet.of(3, 5));
        assertThat(store.members("0/broken").isEmpty()).isTrue();
    }

    @Test
    void agentThatDiesBreaksAllItsPromises() throws Exception {
        promises.make().join();
        promises.make().join();
        try (InMemoryStore other = store.newSession()) {
            new Promises(other, Generation.FIRST, 3).make().join();

            session.abandon();

            assertThat(store.members("0/broken")).isEqualTo(IndexSet.of(3, 4));
        }
    }

    @Test
    void agentThatSaysGoodbyeBreaksNoPromise() throws Exception {
        promises.make().join();

        session.close();

        assertThat(store.members("0/broken").isEmpty()).isTrue();
    }

    @Test
    void promisesAreThoseOfAGeneration() throws Exception {
        promises.make().join();

        assertThat(new Promises(store, new Generation(1, 100, 1), 3).make()).isCompletedWithValue(3);

        assertThat(store.members("1/promised")).isEqualTo(IndexSet.of(3));
    }
}

package dev.resiliency.store.internal.emulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.EmulatedStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PlainStore;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A barrier whose key changes while one client completes it. */
@Timeout(30)
class EmulatedDeletedBarrierTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String NAME = "b/x";
    private static final Barrier BARRIER = Barrier.of(NAME, IndexSet.of(0, 1));

    private final Map<String, Value> values = InMemoryPlainStore.newValues();
    private final EmulatedStore store;
    /** Published to the store's thread by the request that completes the barrier. */
    private UnaryOperator<Value> meanwhile = value -> value;

    EmulatedDeletedBarrierTest() {
        PlainStore plain = mock(PlainStore.class, delegatesTo(new InMemoryPlainStore(values)));
        doAnswer(call -> {
                    synchronized (values) {
                        values.compute(NAME, (name, value) -> meanwhile.apply(Objects.requireNonNull(value)));
                    }
                    return null;
                })
                .when(plain)
                .set("ran", Value.empty());
        store = EmulatedStore.builder().build(plain);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Value now() {
        synchronized (values) {
            return values.getOrDefault(NAME, Value.empty());
        }
    }

    /** Completes the barrier; in the middle of it, another client changes its value. */
    private void completeWhile(UnaryOperator<Value> change) throws Exception {
        meanwhile = change;
        store.barrier(BARRIER.whenComplete(new Operation.Set("ran", Value.empty())), IndexSet.of(0, 1), LONG);
    }

    @Test
    void barrierThatDeletesItselfDoesNotComeBack() throws Exception {
        try (EmulatedStore other = EmulatedStore.builder().build(new InMemoryPlainStore(values))) {
            Barrier barrier = BARRIER.whenComplete(new Operation.DeleteAll("b/"));
            other.execute(new Operation.Arrive(barrier, IndexSet.of(1), false), LONG);

            store.barrier(barrier, IndexSet.of(0), LONG);

            assertThat(other.keys("")).isEmpty();
            assertThatThrownBy(() -> other.barrier(barrier, IndexSet.of(1), Duration.ofMillis(20)))
                    .isInstanceOf(BarrierTimeoutException.class);
        }
    }

    @Test
    void repeatedArrivalDoesNotKeepOthersFromPassing() throws Exception {
        Value again = Contents.arrival(BARRIER, IndexSet.of(1));

        completeWhile(value -> value.append(again));

        assertThat(now().text()).endsWith(again.append(Contents.complete()).text());
        store.barrier(BARRIER, IndexSet.of(1), LONG);
    }

    @Test
    void newBarrierOfTheSameNameIsLeftAlone() throws Exception {
        Value another = Contents.arrival(BARRIER, IndexSet.of(1));

        completeWhile(value -> another);

        assertThat(now()).isEqualTo(another);
    }
}

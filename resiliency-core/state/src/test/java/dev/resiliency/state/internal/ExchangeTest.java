package dev.resiliency.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.State;
import dev.resiliency.state.internal.Exchange.Holdings;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What ranks say to each other, without clocks: time passes whenever what rank 0 waits for is not there. */
class ExchangeTest {
    private static final int WORLD = 3;

    private final InMemoryStore store = InMemoryStore.create();
    /** The ranks that come while rank 0 waits, one each time. */
    private final Deque<Integer> late = new ArrayDeque<>();

    @AfterEach
    void close() {
        store.close();
    }

    private static Exchange of(SessionStore store, int rank) {
        return new Exchange(store, new State(10 + rank, WORLD, rank, WORLD, State.Mode.ACTIVE, rank, WORLD, 1));
    }

    private void publish(int rank) throws InterruptedException {
        of(store, rank).publishHolding(new Holding(10 + rank, true, Version.NONE, "layout", List.of(), null, null));
    }

    private Exchange leader() {
        return of(
                new ForwardingStore(store) {
                    @Override
                    public void await(List<String> keys, Duration timeout) throws InterruptedException {
                        if (late.isEmpty()) {
                            super.await(keys, timeout);
                        } else {
                            publish(late.remove());
                            throw new StoreTimeoutException("not all have come", timeout);
                        }
                    }
                },
                0);
    }

    @Test
    void whoeverWasMissingWhenRankZeroLookedForTheLastTimeWasLast() throws Exception {
        publish(0);
        late.addAll(List.of(2, 1));

        Holdings published = leader().holdings();

        assertThat(published.all()).extracting(Holding::rank).containsExactly(10, 11, 12);
        assertThat(published.last()).isEqualTo(IndexSet.of(1));
    }

    @Test
    void rankZeroWasLastIfAllOthersHadComeBeforeIt() throws Exception {
        publish(1);
        publish(2);
        publish(0);

        assertThat(leader().holdings().last()).isEqualTo(IndexSet.of(0));
    }

    @Test
    void allLearnForWhomTheyHaveWaited() throws Exception {
        for (IndexSet last : List.of(IndexSet.empty(), IndexSet.of(11, 12))) {
            of(store, 0).publishDecision(RecoveryDecision.checkpoint(1, 0, ""), Map.of(), Map.of(), List.of(), last);

            assertThat(of(store, 2).last()).isEqualTo(last);
        }
    }
}

package dev.resiliency.store.internal.emulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreContract;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The contract of an emulated store: that of every store, except for what plain verbs cannot provide: last wills and
 * leases, atomic batches, and watches that report every change in order.
 */
public abstract class EmulatedStoreContract extends StoreContract {

    @Test
    @Override
    protected void deathCarriesOutTheLastWill() throws Exception {
        assertThat(store.keepsSessions()).isFalse();
        store.lastWill(new Operation.AddToSet("terminated", IndexSet.of(0)));

        mine.death().run();

        assertThat(other.members("terminated")).isEqualTo(IndexSet.empty());
    }

    @Test
    @Override
    protected void expiredLeaseEndsTheSessionAndFencesIt() throws Exception {
        store.execute(new Operation.Lease(Duration.ofNanos(1)), LONG);

        store.set("key", "text");
        assertThat(other.get("key").text()).isEqualTo("text");
    }

    @Test
    @Override
    protected void noWaitEndsInTheMiddleOfABatch() throws Exception {
        CompletableFuture<List<@Nullable Object>> answer = store.submit(List.of(new Operation.Get("key")), LONG);

        other.batch(LONG, new Operation.Set("key", Value.of("1")), new Operation.Set("key", Value.of("2")));

        assertThat(answer.get()).containsAnyOf(Value.of("1"), Value.of("2"));
        assertThat(store.get("key").text()).isEqualTo("2");
    }

    @Test
    @Override
    protected void watchReportsTheStateAndEachChange() throws Exception {
        store.set("key", "1");
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store.watch("key", changes::add);
        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("1")));

        other.set("key", "2");
        other.set("key", "3");
        Change.Written last = new Change.Written("key", Value.of("3"));
        await().until(() -> last.equals(next(changes)));
        other.delete("key");
        assertThat(next(changes)).isEqualTo(new Change.Deleted("key"));
        other.set("key", "3");
        assertThat(next(changes)).isEqualTo(last);
        assertThat(changes).isEmpty();
    }

    @Test
    @Override
    protected void watchOfAPrefixReportsTheStateAndEachChange() throws Exception {
        store.set("p/b", "1");
        store.addToSet("p/a", IndexSet.of(1));
        store.set("q", "1");
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store.watchPrefix("p/", changes::add);
        assertThat(next(changes)).isEqualTo(new Change.Joined("p/a", IndexSet.of(1)));
        assertThat(next(changes)).isEqualTo(new Change.Written("p/b", Value.of("1")));

        other.set("p/c", "2");
        other.set("p", "2");
        other.addToSet("p/a", IndexSet.of(2));
        other.delete("p/b");

        assertThat(Arrays.asList(next(changes), next(changes), next(changes)))
                .containsExactlyInAnyOrder(
                        new Change.Written("p/c", Value.of("2")),
                        new Change.Joined("p/a", IndexSet.of(2)),
                        new Change.Deleted("p/b"));
        assertThat(changes).isEmpty();
    }

    @Test
    @Override
    protected void endedWatchOfAPrefixIsSilentAndThatOfItsKeyIsNot() throws Exception {
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        Consumer<Change> listener = changes::add;
        store.watchPrefix("key", listener);
        store.watch("key", listener);
        store.unwatchPrefix("key", listener);
        store.set("keys", "text");
        store.set("key", "text");

        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("text")));
        assertThat(changes).isEmpty();
    }
}

package dev.resiliency.store.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Batch.Results;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BatchTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final InMemoryStore store = InMemoryStore.create(LIMIT);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void eachHandleGivesTheResultOfItsOperation() {
        Batch batch = store.batch();
        batch.addAll(List.of(new Operation.Set("key", Value.of("value"))));
        Handle<Long> sum = batch.add(new Operation.Add("counter", 3));
        Handle<Value> value = batch.add(new Operation.Get("key"));
        Handle<List<String>> keys = batch.add(new Operation.Keys(""));

        Results results = batch.submit(LIMIT).join();

        assertThat(results.allRan()).isTrue();
        assertThat(results.get(sum)).isEqualTo(3);
        assertThat(results.get(value).text()).isEqualTo("value");
        assertThat(results.get(keys)).containsExactly("counter", "key");
    }

    @Test
    void operationsBehindALostClaimHaveNotRun() throws Exception {
        store.execute(new Operation.Claim("leader", Value.of("other")), LIMIT);
        Batch batch = store.batch();
        Handle<Value> leader = batch.add(new Operation.Claim("leader", Value.of("me")));
        Handle<Void> set = batch.add(new Operation.Set("key", Value.empty()));
        Handle<Long> sum = batch.add(new Operation.Add("counter", 1));

        Results results = batch.submit(LIMIT).join();

        assertThat(results.allRan()).isFalse();
        assertThat(results.ran(leader)).isTrue();
        assertThat(results.ran(set)).isFalse();
        assertThat(results.ran(sum)).isFalse();
        assertThat(results.get(leader).text()).isEqualTo("other");
        assertThatIllegalStateException()
                .isThrownBy(() -> results.get(sum))
                .withMessage("Add[key=counter, delta=1] has not run: the batch ended with Claim[key=leader, value=me]");
    }

    @Test
    void confirmedSetDoesNotEndTheBatchButAChangedOneDoes() {
        for (IndexSet confirmed : List.of(IndexSet.empty(), IndexSet.of(1))) {
            Batch batch = store.batch();
            Handle<IndexSet> members = batch.add(new Operation.Confirm("set", confirmed));
            batch.add(new Operation.Add("counter", 1));

            Results results = batch.submit(LIMIT).join();

            assertThat(results.get(members)).isEqualTo(IndexSet.empty());
            assertThat(results.allRan()).isEqualTo(confirmed.equals(IndexSet.empty()));
        }
    }

    @Test
    void operationWithoutAResultHasRunButHasNoResult() {
        Batch batch = store.batch();
        Handle<Void> set = batch.add(new Operation.Set("key", Value.empty()));

        Results results = batch.submit(LIMIT).join();

        assertThat(results.ran(set)).isTrue();
        assertThatIllegalStateException()
                .isThrownBy(() -> results.get(set))
                .withMessage("Set[key=key, value=] has no result");
    }

    @Test
    void handleOfAnotherBatchIsRejected() {
        Batch batch = store.batch();
        batch.add(new Operation.Add("counter", 1));
        Handle<Long> foreign = store.batch().add(new Operation.Add("counter", 1));

        Results results = batch.submit(LIMIT).join();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> results.get(foreign))
                .withMessage("this handle belongs to another batch");
        assertThatIllegalArgumentException().isThrownBy(() -> results.ran(foreign));
    }

    @Test
    void batchIsSentOnce() throws Exception {
        Batch submitted = store.batch();
        submitted.add(new Operation.Add("counter", 1));
        submitted.submit(LIMIT).join();
        Batch sent = store.batch();
        sent.add(new Operation.Add("counter", 1));
        sent.send();

        for (Batch batch : List.of(submitted, sent)) {
            assertThatIllegalStateException().isThrownBy(() -> batch.submit(LIMIT));
            assertThatIllegalStateException().isThrownBy(batch::send);
            assertThatIllegalStateException().isThrownBy(() -> batch.add(new Operation.Add("counter", 1)));
            assertThatIllegalStateException()
                    .isThrownBy(() -> batch.addAll(List.of()))
                    .withMessage("this batch has been sent: begin another one");
        }
        assertThat(store.add("counter", 0)).isEqualTo(2);
    }

    @Test
    void emptyBatchRuns() {
        assertThat(store.batch().submit(LIMIT).join().allRan()).isTrue();
    }

    @Test
    void failureIsNotWrapped() throws Exception {
        store.set("key", "no number");
        Batch batch = store.batch();
        batch.add(new Operation.Add("key", 1));

        CompletableFuture<Throwable> failure = batch.submit(LIMIT).handle((results, thrown) -> thrown);

        assertThat(failure.join()).isInstanceOf(StoreRequestException.class);
    }

    @Test
    void cancellingWithdrawsTheRequest() throws Exception {
        Batch batch = store.batch();
        batch.add(new Operation.Get("key"));
        batch.add(new Operation.Add("woken", 1));
        CompletableFuture<Results> waiting = batch.submit(LIMIT);

        waiting.cancel(true);
        store.set("key", "value");

        assertThat(store.check(List.of("woken"))).isFalse();
    }

    @Test
    void resultsArriveInTheStoresOwnKindOfFuture() {
        SessionStore guarding = new ForwardingStore(store) {
            @Override
            public CompletableFuture<List<@Nullable Object>> submit(
                    List<? extends Operation<?>> operations, Duration timeout) {
                return new OwnFuture<>();
            }
        };

        assertThat(guarding.batch().submit(LIMIT)).isInstanceOf(OwnFuture.class);
    }

    private static final class OwnFuture<T extends @Nullable Object> extends CompletableFuture<T> {
        @Override
        public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
            return new OwnFuture<>();
        }
    }

    @Test
    void batchOfAPrefixStoreRunsUnderItsPrefix() throws Exception {
        SessionStore part = new PrefixStore("job", store);
        Batch batch = part.batch();
        batch.add(new Operation.Set("key", Value.of("value")));
        Handle<List<String>> keys = batch.add(new Operation.Keys(""));

        Results results = batch.submit(LIMIT).join();

        assertThat(results.get(keys)).containsExactly("key");
        assertThat(store.get("job/key").text()).isEqualTo("value");
    }
}

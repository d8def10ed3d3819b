package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule 2: a job learns that a rank has died or left. */
class TerminationsTest extends ThreeRanks {
    @Test
    void deathIsRecordedAndInterruptsTheOthersAtOnce() throws Exception {
        enter(0);

        ranks.get(2).session.abandon();

        assertThat(ranks.subList(0, 2)).allSatisfy(rank -> {
            assertThat(rank.terminated).containsExactly(new Change.Joined("0/terminated", IndexSet.of(2)));
            assertThat(rank.outcomes).containsExactly(Outcome.INTERRUPTED);
        });
        assertThat(store.get("0/0/records").text()).startsWith("2 TERMINATED - - ");
    }

    /** On a store that runs operations one by one, others see each of them by itself. */
    @Test
    void reasonOfADeathIsWrittenBeforeTheDeath() {
        Operation.LastWill lastWill =
                (Operation.LastWill) ranks.get(0).view.terminations().lastWill(3);

        assertThat(lastWill.operations())
                .extracting(operation -> (Object) operation.getClass())
                .containsExactly(
                        Operation.Append.class,
                        Operation.CompareAndSet.class,
                        Operation.AddToSet.class,
                        Operation.Claim.class);
    }

    @Test
    void deathBeforeTheFirstIterationExcusesTheRank() {
        ranks.forEach(rank -> rank.regroup(0));

        ranks.get(0).session.abandon();
        lead(1, 0, ALL);

        assertThat(ranks.get(1).decision()).isInstanceOfSatisfying(Decision.Placed.class, placed -> {
            assertThat(placed.state().activeRank()).isZero();
            assertThat(placed.state().worldSize()).isEqualTo(2);
            assertThat(placed.removed()).isEqualTo(IndexSet.of(0));
            assertThat(placed.added().isEmpty()).isTrue();
        });
        assertThat(ranks.get(1).outcomes).isEmpty();
    }

    @Test
    void deathAtTheIterationBarrierExcusesTheRank() {
        enter(0);
        interrupt(0, 0, "NaN");
        regroup(1, 0, 1);

        ranks.get(2).session.abandon();
        lead(0, 1, ALL);

        assertThat(ranks.get(1).decision())
                .isInstanceOfSatisfying(
                        Decision.Placed.class,
                        placed -> assertThat(placed.state().worldSize()).isEqualTo(2));
    }

    @Test
    void rankThatLeavesIsExcusedAndSaysWhy() {
        enter(0);

        assertThat(ranks.get(2)
                        .view
                        .terminations()
                        .leave(0, new Interruption(2, Kind.TERMINATED_BY_RANK, null, "no more data")))
                .isDone();

        assertThat(ranks.get(0).terminated).hasSize(1);
        regroup(1, 0, 1);
        lead(0, 1, ALL);
        assertThat(ranks.get(1).regrouped.join().interruptions())
                .containsExactly(new Interruption(2, Kind.TERMINATED_BY_RANK, null, "no more data"));
    }

    @Test
    void deathReportedTwiceCountsOnce() {
        enter(0);

        ranks.get(2).session.abandon();
        assertThat(ranks.get(1)
                        .view
                        .member()
                        .interrupt(0, List.of(new Interruption(2, Kind.TERMINATED, null, "it died"))))
                .isCompletedWithValue(Outcome.INTERRUPTED);

        assertThat(ranks.get(0).terminated).hasSize(1);
        assertThat(ranks.get(0).outcomes).containsExactly(Outcome.INTERRUPTED);
    }

    @Test
    void rankThatHasLeftWritesNothingMoreWhenItsProcessEnds() throws Exception {
        enter(0);
        assertThat(ranks.get(2)
                        .view
                        .terminations()
                        .leave(0, new Interruption(2, Kind.TERMINATED_BY_RANK, null, "no more data")))
                .isDone();
        store.execute(new Operation.DeleteAll("0/0/"), LIMIT); // as the others do in a later iteration

        ranks.get(2).session.abandon();

        assertThat(store.keys("0/0/")).isEmpty();
    }

    @Test
    void rankThatHasLeftAfterTheCompletionWritesNothingMoreWhenItsProcessEnds() throws Exception {
        enter(0);
        complete(0);
        assertThat(ranks.get(2)
                        .view
                        .terminations()
                        .leave(0, new Interruption(2, Kind.TERMINATED_BY_RANK, null, "its completion hook failed")))
                .isDone();
        store.execute(new Operation.DeleteAll("0/0/"), LIMIT);

        ranks.get(2).session.abandon();

        assertThat(store.keys("0/0/")).isEmpty();
    }

    @Test
    void whyTheHostOfTheStoreEndsIsKnownBeforeItCountsAsTerminated() throws Exception {
        List<Object> learned = new ArrayList<>();
        try (InMemoryStore guest = store.newSession()) {
            RestartStore view = new RestartStore(at("10.0.0.1", 29_500, "call-0", guest), 1, 3);
            view.member().watchHost(learned::add);
            view.member().watchTerminated(learned::add);
            enter(0);
            Interruption hang = new Interruption(0, Kind.HARD_TIMEOUT, null, "it hangs");

            new RestartStore(store, 0, 3).terminations().leave(0, hang).join();
            ranks.get(0).session.abandon(); // its last will, which comes too late to matter

            assertThat(learned).containsExactly(hang, new Change.Joined("0/terminated", IndexSet.of(0)));
        }
    }

    @Test
    void whyTheHostOfTheStoreIsLeftOutIsKnown() throws Exception {
        List<Interruption> learned = new ArrayList<>();
        try (InMemoryStore guest = store.newSession()) {
            new RestartStore(at("10.0.0.1", 29_500, "call-0", guest), 1, 3)
                    .member()
                    .watchHost(learned::add);
            Interruption discarded = new Interruption(0, Kind.TERMINATED_BY_RANK, null, "it was left out");

            ranks.get(0).view.terminations().leaveSilently(discarded).join();

            assertThat(learned).containsExactly(discarded);
        }
    }

    @ParameterizedTest(name = "{0}, scope \"{1}\": {2}")
    @CsvSource({"10.0.0.1, call-0, true", "10.0.0.9, call-0, false", "10.0.0.1, '', false"})
    void rankZeroHostsNoStoreThatIsElsewhereOrHasNoScope(String host, String scope, boolean hosted) {
        RestartStore view = new RestartStore(at(host, 29_500, scope, store), 1, 3);

        assertThat(view.member().isHostedByRank("10.0.0.1", 29_500)).isEqualTo(hosted);
    }

    @Test
    void whyTheHostOfAStoreThatWasFoundedAnewEndsIsKnown() throws Exception {
        List<Interruption> learned = new ArrayList<>();
        Identity identity = new Identity(0, 3, Generation.FIRST, "");
        RestartStore view = new RestartStore(store, identity, List.of(), new StoreSeat(1, "10.0.0.2", 40_000));
        assertThat(view.member().isHostedByRank("10.0.0.1", 29_500)).isTrue();
        assertThat(view.member().hostRank()).isEqualTo(1);
        view.member().watchHost(learned::add);
        enter(0);

        view.terminations()
                .leave(0, new Interruption(2, Kind.HARD_TIMEOUT, null, "another"))
                .join();
        assertThat(learned).isEmpty();
        Interruption hang = new Interruption(1, Kind.HARD_TIMEOUT, null, "it hangs");
        view.terminations().leave(0, hang).join();

        assertThat(learned).containsExactly(hang);
        assertThat(view.member().records(0).join()).contains("another", "it hangs");
        assertThat(view.member().records(1).join()).isEmpty();
    }

    private static SessionStore at(String host, int port, String scope, SessionStore session) {
        return new ForwardingStore(session) {
            @Override
            public StoreAddress address() {
                return new StoreAddress(host, port, scope);
            }
        };
    }

    @Test
    void rankThatLeavesWhenTheNextIterationIsJustDecidedInterruptsThat() {
        enter(0);
        interrupt(0, 0, "NaN");
        enter(1);

        ranks.get(2)
                .view
                .terminations()
                .leave(0, new Interruption(2, Kind.MONITOR_PROCESS_LOST, null, "it ended"))
                .join();

        assertThat(ranks.get(0).outcomes).containsExactly(Outcome.INTERRUPTED, Outcome.INTERRUPTED); // of 0 and of 1
        ranks.get(0).regroup(2);
        ranks.get(1).regroup(2);
        lead(0, 2, ALL);
        assertThat(ranks.get(1).regrouped.join().interruptions())
                .containsExactly(new Interruption(2, Kind.MONITOR_PROCESS_LOST, null, "it ended"));
    }

    @Test
    void deathReportedAgainDoesNotInterruptTheNextIteration() {
        enter(0);
        ranks.get(2).session.abandon(); // its last will
        regroup(1, 0, 1);
        lead(0, 1, ALL);
        ranks.get(1).outcomes.clear();
        try (InMemoryStore session = store.newSession()) {
            RestartStore monitor = new RestartStore(session, 2, 3);

            monitor.terminations()
                    .leave(0, new Interruption(2, Kind.HARD_TIMEOUT, null, "it hangs"))
                    .join();
        }

        assertThat(ranks.get(1).outcomes).isEmpty();
    }

    @Test
    void deathReportedLateLeavesNoKeys() throws Exception {
        enter(0);
        try (InMemoryStore session = store.newSession()) {
            RestartStore monitor = new RestartStore(session, 2, 3);
            monitor.terminations()
                    .leave(0, new Interruption(2, Kind.HARD_TIMEOUT, null, "it hangs"))
                    .join();
            for (int k = 1; k <= 2; k++) {
                ranks.get(0).regroup(k);
                ranks.get(1).regroup(k);
                lead(0, k, ALL);
                interrupt(0, k, "NaN");
            }
            assertThat(store.keys("0/0/")).isEmpty();

            ranks.get(2).session.abandon(); // its last will
            monitor.terminations()
                    .leave(0, new Interruption(2, Kind.TERMINATED, null, "it died"))
                    .join();
        }

        assertThat(store.keys("0/0/")).isEmpty();
        assertThat(store.keys("0/1/")).isNotEmpty();
    }

    @Test
    void nothingIsDecidedForARankThatAskedAndIsLostBeforeItStops() throws Exception {
        enter(0);
        ranks.get(2).ask(1);
        try (InMemoryStore session = store.newSession()) {
            RestartStore monitor = new RestartStore(session, 2, 3);
            monitor.terminations()
                    .leave(0, new Interruption(2, Kind.TERMINATED, null, "it died"))
                    .join();
        }
        regroup(1, 0, 1);

        lead(0, 1, ALL);
        assertThat(ranks.get(2).regrouped).isNotDone();
        ranks.get(2).session.abandon();

        assertThat(ranks.get(1).decision()).isInstanceOf(Decision.Placed.class);
        assertThat(ranks.get(1).outcomes).as("of iteration 0 alone").containsExactly(Outcome.INTERRUPTED);
    }

    @Test
    void rankThatAskedAndLeavesWhileTheTrainingRunsLeavesNoLastWill() throws Exception {
        enter(0);
        ranks.get(2).ask(1);
        ranks.get(2)
                .view
                .terminations()
                .leave(0, new Interruption(2, Kind.TERMINATED_BY_RANK, null, "enough"))
                .join();
        regroup(1, 0, 1);
        lead(0, 1, ALL);

        ranks.get(2).session.abandon();

        assertThat(store.check(List.of("0/1/outcome"))).isFalse();
    }

    @Test
    void partingWaitsOnlyForLivingRanks() {
        enter(0);
        CompletableFuture<?> first = ranks.get(0).view.member().part(IndexSet.range(0, 3), LIMIT);
        CompletableFuture<?> second = ranks.get(1).view.member().part(IndexSet.range(0, 3), LIMIT);
        assertThat(first).isNotDone();

        ranks.get(2).session.abandon();

        assertThat(first).isDone();
        assertThat(second).isDone();
    }
}

package dev.resiliency.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.Parts;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of every {@link Store}, whatever its implementation. */
@Timeout(30)
public abstract class StoreContract {
    /** A limit that no test reaches. */
    private static final Duration LONG = Duration.ofSeconds(20);

    /** A limit that tests wait for. */
    private static final Duration SHORT = Duration.ofMillis(20);

    private final List<Session> sessions = new ArrayList<>();
    /** The session that some tests end without a goodbye. */
    private Session mine;

    /** Its store. */
    private SessionStore store;

    /** Another session on the same store. */
    private SessionStore other;

    /** A session on the store under test, with actions that end it with and without a goodbye. */
    public record Session(SessionStore store, Runnable goodbye, Runnable death) {}

    /**
     * Keeps the owner of {@link #mine} from being heard, or lets it be heard again. By default it is heard only when it
     * requests something.
     */
    protected void silence(boolean isSilent) {}

    /** Opens another session on the one store under test. */
    protected abstract Session open() throws Exception;

    @BeforeEach
    void openTwoSessions() throws Exception {
        mine = newSession();
        store = mine.store();
        other = newSession().store();
    }

    private Session newSession() throws Exception {
        Session session = open();
        sessions.add(session);
        return session;
    }

    @AfterEach
    void closeSessions() {
        sessions.forEach(session -> session.goodbye().run());
    }

    // --- values

    @Test
    void valueThatOneClientSetsAnotherGets() throws Exception {
        store.set("key", "text");

        assertThat(other.get("key").text()).isEqualTo("text");
    }

    @Test
    void getWaitsForTheKey() throws Exception {
        CompletableFuture<List<@Nullable Object>> answer = store.submit(List.of(new Operation.Get("key")), LONG);
        assertThat(answer).isNotDone();

        other.set("key", "text");

        assertThat(answer.get()).containsExactly(Value.of("text"));
    }

    @Test
    void getPartWaitsUntilItsPartExists() throws Exception {
        CompletableFuture<List<@Nullable Object>> first = store.submit(List.of(new Operation.GetPart("key", 0)), LONG);
        CompletableFuture<List<@Nullable Object>> second =
                store.submit(List.of(new Operation.GetPart("key", 1), new Operation.Get("behind")), LONG);

        other.set("key", Parts.of(List.of(Value.of("a"), Value.empty())));
        assertThat(first.get()).containsExactly(Value.of("a"));
        assertThat(second).isNotDone();

        other.set("behind", "b");
        assertThat(second).isNotDone();
        other.set("key", Parts.of(List.of(Value.empty(), Value.of("c"))));
        assertThat(second.get()).containsExactly(Value.of("c"), Value.of("b"));
    }

    @Test
    void getPartNamesThePartThatWasNotSet() throws Exception {
        other.set("key", Parts.of(List.of(Value.of("a"))));

        assertThatThrownBy(() -> store.execute(new Operation.GetPart("key", 7), SHORT))
                .isInstanceOf(StoreTimeoutException.class)
                .hasMessageContaining("part 7 of key ")
                .hasMessageContaining("key was not set within");
    }

    @Test
    void getPartRejectsAValueWithoutParts() throws Exception {
        store.set("key", "text");

        assertThatThrownBy(() -> store.execute(new Operation.GetPart("key", 0), LONG))
                .isInstanceOf(StoreRequestException.class)
                .hasMessageContaining("key: a value of 4 bytes has no parts");
        assertThat(store.get("key").text()).isEqualTo("text");
    }

    @Test
    void getNamesTheKeyThatWasNotSet() {
        StoreTimeoutException failure =
                catchThrowableOfType(StoreTimeoutException.class, () -> store.get("missing", SHORT));

        assertThat(failure).hasMessageContaining("missing was not set within 0.02 s");
        assertThat(failure.timeout()).isEqualTo(SHORT);
    }

    @Test
    void countersAddUpFromZero() throws Exception {
        assertThat(store.add("counter", 3)).isEqualTo(3);
        assertThat(other.add("counter", -5)).isEqualTo(-2);
        assertThat(store.get("counter").text()).isEqualTo("-2");
    }

    @Test
    void addRejectsANonNumberAndTheStoreStaysUsable() throws Exception {
        store.set("key", "seven");

        assertThatThrownBy(() -> store.add("key", 1))
                .isInstanceOf(StoreRequestException.class)
                .hasMessageContaining("key holds 'seven', which is not a number");
        assertThat(store.get("key").text()).isEqualTo("seven");
    }

    @Test
    void addRejectsAnOverflow() throws Exception {
        store.set("key", Value.of(Long.MAX_VALUE));

        assertThatThrownBy(() -> store.add("key", 1)).isInstanceOf(StoreRequestException.class);
    }

    @Test
    void addsOfManyThreadsAreAllCounted() throws Exception {
        long threads = 8;
        int addsPerThread = 50;
        CountDownLatch start = new CountDownLatch(1);
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            SessionStore used = i % 2 == 0 ? store : other;
            done.add(onThread(() -> {
                start.await();
                for (int j = 0; j < addsPerThread; j++) {
                    used.add("counter", 1);
                }
            }));
        }
        start.countDown();
        CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get();

        assertThat(store.get("counter").number()).isEqualTo(threads * addsPerThread);
    }

    @Test
    void appendAddsBytesAtTheEnd() throws Exception {
        store.append("key", Value.of("a"));
        store.append("key", Value.of("b"));

        assertThat(store.get("key").text()).isEqualTo("ab");
    }

    @Test
    void appendAddsNothingOnceTheValueReachesTheGivenSize() throws Exception {
        store.batch(
                LONG,
                new Operation.Append("key", Value.of("abc"), 0),
                new Operation.Append("key", Value.of("abc"), 1),
                new Operation.Append("key", Value.of("d"), 3),
                new Operation.Append("key", Value.of("ef"), 4),
                new Operation.Append("key", Value.of("g"), 4));

        assertThat(store.get("key").text()).isEqualTo("abcef");
    }

    @Test
    void compareAndSetWritesOnlyOverTheExpectedValue() throws Exception {
        assertThat(store.compareAndSet("key", Value.of("x"), Value.of("y"))).isEqualTo(Value.empty());
        assertThat(store.check(List.of("key"))).isFalse();
        assertThat(store.compareAndSet("key", Value.empty(), Value.of("a"))).isEqualTo(Value.of("a"));
        assertThat(other.compareAndSet("key", Value.empty(), Value.of("b"))).isEqualTo(Value.of("a"));
        assertThat(other.compareAndSet("key", Value.of("a"), Value.of("b"))).isEqualTo(Value.of("b"));
    }

    @Test
    void checkAndAwaitNeedAllKeys() throws Exception {
        store.set("a", "1");
        assertThat(store.check(List.of("a", "b"))).isFalse();
        assertThatThrownBy(() -> store.await(List.of("a", "b", "c"), SHORT))
                .isInstanceOf(StoreTimeoutException.class)
                .hasMessageContaining("b")
                .hasMessageContaining("c were not set within");

        CompletableFuture<Void> awaited = onThread(() -> store.await(List.of("a", "b"), LONG));
        other.set("b", "2");

        awaited.get();
        assertThat(store.check(List.of("a", "b"))).isTrue();
    }

    @Test
    void deleteReturnsWhetherTheKeyExisted() throws Exception {
        store.set("key", "text");

        assertThat(other.delete("key")).isTrue();
        assertThat(store.delete("key")).isFalse();
        assertThat(store.check(List.of("key"))).isFalse();
    }

    @Test
    void manyValuesAreWrittenAndReadAtOnce() throws Exception {
        store.multiSet(Map.of("a", Value.of("1"), "b", Value.of("2")));

        assertThat(other.multiGet(List.of("b", "a", "b"))).containsExactly(Value.of("2"), Value.of("1"), Value.of("2"));
    }

    @Test
    void multiSetWritesAllOrNothing() throws Exception {
        store.addToSet("b", IndexSet.of(1));

        assertThatThrownBy(() -> store.multiSet(Map.of("a", Value.of("1"), "b", Value.of("2"), "c", Value.of("3"))))
                .isInstanceOf(StoreRequestException.class);
        assertThat(store.keys("")).containsExactly("b");
    }

    @Test
    void keysAreFoundByPrefix() throws Exception {
        store.set("b/2", "");
        store.set("b/1", "");
        store.addToSet("b/3", IndexSet.of(1));
        store.set("a", "");
        store.set("c", "");

        assertThat(store.keys("b/")).containsExactly("b/1", "b/2", "b/3");
        assertThat(store.keyCount()).isEqualTo(5);
        assertThat(store.execute(new Operation.KeyCount("b/"), LONG)).isEqualTo(3);
        assertThat(store.execute(new Operation.DeleteAll("b/"), LONG)).isEqualTo(3);
        assertThat(store.keys("")).containsExactly("a", "c");
    }

    @Test
    void limitOfAKeyCountsBytes() throws Exception {
        String nearLimit = "€".repeat(2_720); // 8,160 bytes, and room for the prefix of the store

        store.set(nearLimit, "v");

        assertThat(store.get(nearLimit).text()).isEqualTo("v");
        assertThatThrownBy(() -> store.set("€".repeat(2_731), "v"))
                .isInstanceOf(StoreRequestException.class)
                .hasMessageContaining("bytes of a key are over the limit of 8192 (max-key-bytes)");
    }

    @Test
    void limitsAreNamed() throws Exception {
        assertThatThrownBy(() -> store.set("k".repeat(9000), "v"))
                .isInstanceOf(StoreRequestException.class)
                .hasMessageContaining("over the limit of 8192 (max-key-bytes)");
        assertThatThrownBy(() -> store.set("key", Value.of(new byte[(8 << 20) + 1])))
                .isInstanceOf(StoreRequestException.class)
                .hasMessageContaining("key: a value of 8388609 bytes is over the limit of 8388608");
        assertThatThrownBy(() -> store.addToSet("key", IndexSet.of(1 << 20)))
                .isInstanceOf(StoreRequestException.class)
                .hasMessageContaining("member 1048576 is over the limit");

        store.set("key", Value.of(new byte[8 << 20]));
        assertThat(other.get("key").size()).isEqualTo(8 << 20);
    }

    // --- batches

    @Test
    void batchRunsInOrder() throws Exception {
        List<@Nullable Object> results = store.batch(
                LONG, new Operation.Set("key", Value.of(1)), new Operation.Add("key", 2), new Operation.Get("key"));

        assertThat(results).containsExactly(null, 3L, Value.of(3));
    }

    @Test
    void restOfABatchRunsAfterTheWait() throws Exception {
        CompletableFuture<List<@Nullable Object>> answer =
                store.submit(List.of(new Operation.Get("key"), new Operation.Add("counter", 1)), LONG);
        assertThat(other.check(List.of("counter"))).isFalse();

        other.set("key", "text");

        assertThat(answer.get()).containsExactly(Value.of("text"), 1L);
    }

    @Test
    void noWaitEndsInTheMiddleOfABatch() throws Exception {
        CompletableFuture<List<@Nullable Object>> answer = store.submit(List.of(new Operation.Get("key")), LONG);

        other.batch(LONG, new Operation.Set("key", Value.of("1")), new Operation.Set("key", Value.of("2")));

        assertThat(answer.get()).containsExactly(Value.of("2"));
    }

    @Test
    void operationsBeforeAFailureTakeEffect() throws Exception {
        assertThatThrownBy(() -> store.batch(
                        LONG,
                        new Operation.Set("a", Value.of("text")),
                        new Operation.Add("a", 1),
                        new Operation.Set("b", Value.of("text"))))
                .isInstanceOf(StoreRequestException.class);

        assertThat(store.keys("")).containsExactly("a");
    }

    @Test
    void lostClaimEndsTheBatch() throws Exception {
        Operation<?>[] mine = {new Operation.Claim("who", Value.of("me")), new Operation.Set("a", Value.of("me"))};
        Operation<?>[] yours = {new Operation.Claim("who", Value.of("you")), new Operation.Set("a", Value.of("you"))};

        assertThat(store.batch(LONG, mine)).containsExactly(Value.of("me"), null);
        assertThat(other.batch(LONG, yours)).containsExactly(Value.of("me"));
        assertThat(other.batch(LONG, mine)).containsExactly(Value.of("me"), null);
        assertThat(store.get("a").text()).isEqualTo("me");
    }

    @Test
    void setWithOtherMembersEndsTheBatch() throws Exception {
        Operation<?>[] ifEmpty = {new Operation.Confirm("lost", IndexSet.empty()), new Operation.Add("a", 1)};
        Operation<?>[] ifOne = {new Operation.Confirm("lost", IndexSet.of(1)), new Operation.Add("a", 1)};

        assertThat(store.batch(LONG, ifEmpty)).containsExactly(IndexSet.empty(), 1L);
        other.addToSet("lost", IndexSet.of(1));
        assertThat(store.batch(LONG, ifEmpty)).containsExactly(IndexSet.of(1));
        assertThat(store.batch(LONG, ifOne)).containsExactly(IndexSet.of(1), 2L);
        other.addToSet("lost", IndexSet.of(0));
        assertThat(store.batch(LONG, ifOne)).containsExactly(IndexSet.of(0, 1));
    }

    @Test
    void emptyBatchResultsInNothing() throws Exception {
        assertThat(store.batch(LONG)).isEmpty();
    }

    @Test
    void sentOperationsRunInOrder() throws Exception {
        store.send(List.of(new Operation.Add("counter", 1), new Operation.Get("missing"), new Operation.Add("a", 1)));
        store.send(List.of(new Operation.Add("counter", 1)));

        assertThat(store.add("counter", 0)).isEqualTo(2);
        assertThat(store.check(List.of("a"))).isFalse();
    }

    // --- kinds

    @Test
    void wrongKindIsNamed() throws Exception {
        store.set("value", "text");
        store.addToSet("set", IndexSet.of(1));
        store.execute(new Operation.Arrive(Barrier.of("barrier", IndexSet.of(1, 2)), IndexSet.of(1), false), LONG);

        assertRefused(
                "value holds a value, and this operation needs a set", () -> store.addToSet("value", IndexSet.of(1)));
        assertRefused("value holds a value, and this operation needs a set or a barrier", () -> store.members("value"));
        assertRefused("set holds a set, and this operation needs a value", () -> store.get("set"));
        assertRefused("set holds a set, and this operation needs a value", () -> store.set("set", "text"));
        assertRefused("barrier holds a barrier, and this operation needs a value", () -> store.add("barrier", 1));
        assertRefused(
                "set holds a set, and this operation needs a barrier",
                () -> store.barrier(Barrier.of("set", IndexSet.of(1)), IndexSet.of(1), LONG));
    }

    private static void assertRefused(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(StoreRequestException.class).hasMessageContaining(message);
    }

    // --- sets and barriers

    @Test
    void setsGrow() throws Exception {
        assertThat(store.members("set")).isEqualTo(IndexSet.empty());
        store.addToSet("set", IndexSet.of(1, 2));
        other.addToSet("set", IndexSet.of(2, 70));

        assertThat(store.members("set")).isEqualTo(IndexSet.of(1, 2, 70));
    }

    @Test
    void lastArrivalReleasesAll() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, 3));
        CompletableFuture<Void> first = onThread(() -> store.barrier(barrier, IndexSet.of(0), LONG));
        CompletableFuture<Void> second = onThread(() -> other.barrier(barrier, IndexSet.of(1), LONG));
        await().until(() -> store.members("barrier").size() == 2);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();

        other.barrier(barrier, IndexSet.of(2), LONG);

        first.get();
        second.get();
        store.barrier(barrier, IndexSet.of(0), LONG);
    }

    @Test
    void arrivingIsIdempotent() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, 2));

        assertThatThrownBy(() -> store.barrier(barrier, IndexSet.of(0), SHORT))
                .isInstanceOf(BarrierTimeoutException.class);
        assertThatThrownBy(() -> store.barrier(barrier, IndexSet.of(0), SHORT))
                .isInstanceOf(BarrierTimeoutException.class);
        other.barrier(barrier, IndexSet.of(1), LONG);
    }

    @Test
    void participantMayArriveOnBehalfOfOthers() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, 4));
        store.execute(new Operation.Arrive(barrier, IndexSet.of(0, 2, 3), false), LONG);
        assertThat(other.members("barrier")).isEqualTo(IndexSet.of(0, 2, 3));

        assertThatCode(() -> other.barrier(barrier, IndexSet.of(1), LONG)).doesNotThrowAnyException();
        assertThat(store.members("barrier")).isEqualTo(IndexSet.range(0, 4));
    }

    @Test
    void halfOfTheParticipantsAreEnough() throws Exception {
        store.addToSet("members", IndexSet.range(0, 5));
        Barrier barrier =
                Barrier.ofMembers("barrier", "members").excusing("ceded").ofHalf();
        store.execute(new Operation.Arrive(barrier, IndexSet.of(1), false), LONG);
        store.addToSet("ceded", IndexSet.of(2, 7));
        assertThatThrownBy(() -> store.barrier(barrier, IndexSet.empty(), SHORT))
                .isInstanceOf(BarrierTimeoutException.class);

        store.addToSet("ceded", IndexSet.of(4));

        assertThatCode(() -> other.barrier(barrier, IndexSet.empty(), LONG)).doesNotThrowAnyException();
        assertThatCode(() -> other.barrier(barrier, IndexSet.of(0), LONG)).doesNotThrowAnyException();
    }

    @Test
    void halfOfAnEvenNumberIsEnough() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, 4)).ofHalf();
        store.execute(new Operation.Arrive(barrier, IndexSet.of(3), false), LONG);

        assertThatCode(() -> other.barrier(barrier, IndexSet.of(2), LONG)).doesNotThrowAnyException();
    }

    @Test
    void timeoutNamesTheMissing() throws Exception {
        store.addToSet("terminated", IndexSet.of(1));
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, 4)).excusing("terminated");

        BarrierTimeoutException failure = catchThrowableOfType(
                BarrierTimeoutException.class, () -> store.barrier(barrier, IndexSet.of(0), SHORT));

        assertThat(failure).hasMessageContaining("barrier: 2 of 4 arrived after 0.02 s; missing {2, 3}");
        assertThat(failure.arrived()).isEqualTo(IndexSet.of(0, 1));
        assertThat(failure.expected()).isEqualTo(IndexSet.range(0, 4));
        assertThat(failure.missing()).isEqualTo(IndexSet.of(2, 3));
        assertThat(failure.timeout()).isEqualTo(SHORT);
        assertThat(store.members("barrier")).isEqualTo(IndexSet.of(0));
    }

    @Test
    void unexpectedParticipantIsRejected() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, 2));
        store.execute(new Operation.Arrive(barrier, IndexSet.of(0), false), LONG);

        BarrierOverflowException failure = catchThrowableOfType(
                BarrierOverflowException.class, () -> other.barrier(barrier, IndexSet.of(1, 7), LONG));

        assertThat(failure)
                .hasMessageContaining("participants {7} are not expected (expected {0, 1}, arrived so far {0})");
        assertThat(failure.unexpected()).isEqualTo(IndexSet.of(7));
        assertThat(failure.arrived()).isEqualTo(IndexSet.of(0));
        assertThat(store.members("barrier")).isEqualTo(IndexSet.of(0));
    }

    @Test
    void excusedParticipantsNeedNotArrive() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, 3)).excusing("terminated");
        store.addToSet("terminated", IndexSet.of(1));
        CompletableFuture<Void> waiting = onThread(() -> store.barrier(barrier, IndexSet.of(0), LONG));
        await().until(() -> store.members("barrier").contains(0));
        assertThat(waiting).isNotDone();

        other.addToSet("terminated", IndexSet.of(2));

        waiting.get();
    }

    @Test
    void barrierPassesAtOnceWhenItsLastMissingParticipantIsExcused() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, 2))
                .excusing("terminated")
                .whenComplete(new Operation.Set("complete", Value.of("yes")));
        store.addToSet("terminated", IndexSet.of(1));
        assertThat(store.check(List.of("complete"))).isFalse();

        store.barrier(barrier, IndexSet.of(0), LONG);

        assertThat(store.get("complete").text()).isEqualTo("yes");
        assertThat(store.members("barrier")).isEqualTo(IndexSet.of(0));
    }

    @Test
    void expectedParticipantsMayBeASetThatIsCreatedLater() throws Exception {
        Barrier barrier = Barrier.ofMembers("barrier", "members");
        CompletableFuture<Void> waiting = onThread(() -> store.barrier(barrier, IndexSet.of(0), LONG));
        await().until(() -> store.members("barrier").contains(0));

        other.addToSet("members", IndexSet.of(0, 1));
        assertThat(waiting).isNotDone();
        other.barrier(barrier, IndexSet.of(1), LONG);

        waiting.get();
    }

    @Test
    void barrierThatTimesOutWithoutItsSetNamesTheSet() {
        assertThatThrownBy(() -> store.barrier(Barrier.ofMembers("barrier", "members"), IndexSet.of(0), SHORT))
                .isInstanceOf(StoreTimeoutException.class)
                .hasMessageContaining("members of expected participants did not exist within");
    }

    @Test
    void completionRunsOperationsInTheSameStep() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, 2))
                .whenComplete(
                        new Operation.Claim("outcome", Value.of("completed")), new Operation.Add("completions", 1));
        CompletableFuture<List<@Nullable Object>> waiting = store.submit(
                List.of(new Operation.Arrive(barrier, IndexSet.of(0), true), new Operation.Get("outcome")), LONG);
        await().until(() -> store.members("barrier").contains(0));

        List<@Nullable Object> results = other.batch(
                LONG, new Operation.Arrive(barrier, IndexSet.of(1), false), new Operation.Check(List.of("outcome")));

        assertThat(results).containsExactly(null, true);
        assertThat(waiting.get()).containsExactly(null, Value.of("completed"));
        store.barrier(barrier, IndexSet.of(0), LONG);
        assertThat(store.get("completions").number()).isEqualTo(1);
    }

    @Test
    void lostClaimEndsTheOperationsOfACompletion() throws Exception {
        store.set("outcome", "interrupted");
        Barrier barrier = Barrier.of("barrier", IndexSet.of(0))
                .whenComplete(
                        new Operation.Claim("outcome", Value.of("completed")), new Operation.Set("a", Value.empty()));

        store.barrier(barrier, IndexSet.of(0), LONG);

        assertThat(store.get("outcome").text()).isEqualTo("interrupted");
        assertThat(store.check(List.of("a"))).isFalse();
    }

    @Test
    void deletedBarrierStartsOver() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.of(0, 1));
        store.barrier(barrier, IndexSet.of(0, 1), LONG);
        store.delete("barrier");

        assertThatThrownBy(() -> store.barrier(barrier, IndexSet.of(0), SHORT))
                .isInstanceOf(BarrierTimeoutException.class);
    }

    // --- watches

    @Test
    void watchReportsTheStateAndEachChange() throws Exception {
        store.set("key", "1");
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store.watch("key", changes::add);
        other.set("key", "2");
        other.delete("key");
        other.set("key", "3");

        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("1")));
        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("2")));
        assertThat(next(changes)).isEqualTo(new Change.Deleted("key"));
        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("3")));
        assertThat(changes).isEmpty();
    }

    @Test
    void stateIsReportedBeforeTheReply() throws Exception {
        store.set("key", "1");
        AtomicReference<@Nullable Change> change = new AtomicReference<>();
        AtomicReference<@Nullable Change> seen = new AtomicReference<>();

        store.submit(List.of(new Operation.Watch("key", change::set)), LONG)
                .thenRun(() -> seen.set(change.get()))
                .get();

        assertThat(seen.get()).isEqualTo(new Change.Written("key", Value.of("1")));
    }

    @Test
    void watchOfASetReportsNewMembers() throws Exception {
        store.addToSet("set", IndexSet.of(1));
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store.watch("set", changes::add);
        other.addToSet("set", IndexSet.of(1));
        other.addToSet("set", IndexSet.of(1, 2));

        assertThat(next(changes)).isEqualTo(new Change.Joined("set", IndexSet.of(1)));
        assertThat(next(changes)).isEqualTo(new Change.Joined("set", IndexSet.of(2)));
        assertThat(changes).isEmpty();
    }

    @Test
    void endedWatchIsSilent() throws Exception {
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        Consumer<Change> listener = changes::add;
        store.watch("key", listener);
        store.unwatch("key", listener);
        store.unwatch("key", listener);
        store.set("key", "text");
        store.watch("key", changes::add);

        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("text")));
        assertThat(changes).isEmpty();
    }

    @Test
    void watchContinuesIfItsEndDidNotRun() throws Exception {
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        Consumer<Change> listener = changes::add;
        store.set("who", "another");
        store.watch("key", listener);
        store.watchPrefix("k", listener);

        assertThat(store.batch(
                        LONG, new Operation.Claim("who", Value.of("me")), new Operation.Unwatch("key", listener)))
                .hasSize(1);
        assertThatThrownBy(() ->
                        store.batch(LONG, new Operation.Add("who", 1), new Operation.UnwatchPrefix("k", listener)))
                .isInstanceOf(StoreRequestException.class);
        other.set("key", "text");

        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("text")));
        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("text")));
    }

    @Test
    void watchThatIsRestartedReportsChanges() throws Exception {
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        Consumer<Change> listener = changes::add;
        store.watch("key", listener);
        CompletableFuture<?> ended = store.submit(List.of(new Operation.Unwatch("key", listener)), LONG);
        store.watch("key", listener);
        ended.get();
        store.batch(LONG, new Operation.Unwatch("key", listener), new Operation.Watch("key", listener));

        other.set("key", "text");

        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("text")));
        assertThat(changes).isEmpty();
    }

    @Test
    void watchOfAPrefixReportsTheStateAndEachChange() throws Exception {
        store.set("p/b", "1");
        store.addToSet("p/a", IndexSet.of(1));
        store.set("q", "1");
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store.watchPrefix("p/", changes::add);
        other.set("p/c", "2");
        other.set("p", "2");
        other.addToSet("p/a", IndexSet.of(2));
        other.delete("p/b");

        assertThat(next(changes)).isEqualTo(new Change.Joined("p/a", IndexSet.of(1)));
        assertThat(next(changes)).isEqualTo(new Change.Written("p/b", Value.of("1")));
        assertThat(next(changes)).isEqualTo(new Change.Written("p/c", Value.of("2")));
        assertThat(next(changes)).isEqualTo(new Change.Joined("p/a", IndexSet.of(2)));
        assertThat(next(changes)).isEqualTo(new Change.Deleted("p/b"));
        assertThat(changes).isEmpty();
    }

    @Test
    void emptyPrefixMatchesAllKeys() throws Exception {
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store.watchPrefix("", changes::add);
        other.set("key", "text");

        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("text")));
    }

    @Test
    void endedWatchOfAPrefixIsSilentAndThatOfItsKeyIsNot() throws Exception {
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        Consumer<Change> listener = changes::add;
        store.watchPrefix("key", listener);
        store.watch("key", listener);
        store.unwatchPrefix("key", listener);
        store.set("key", "text");
        store.set("keys", "text");
        store.set("key", "end");

        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("text")));
        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("end")));
    }

    @Test
    void listenerThatThrowsDoesNotAffectOthers() throws Exception {
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store.watch("key", change -> {
            throw new IllegalStateException("thrown on purpose");
        });
        store.watch("key", changes::add);

        other.set("key", "text");

        assertThat(next(changes)).isEqualTo(new Change.Written("key", Value.of("text")));
    }

    @Test
    void listenerMayUseTheStoreWithoutWaiting() throws Exception {
        store.watch("key", change -> store.send(List.of(new Operation.Add("counter", 1))));

        other.set("key", "text");

        assertThat(other.get("counter").number()).isEqualTo(1);
    }

    // --- sessions

    @Test
    void deathCarriesOutTheLastWill() throws Exception {
        store.lastWill(new Operation.Set("void", Value.empty()));
        store.lastWill(
                new Operation.AddToSet("terminated", IndexSet.of(0)),
                new Operation.Claim("outcome", Value.of("interrupted")));
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        other.watch("terminated", changes::add);

        mine.death().run();

        assertThat(next(changes)).isEqualTo(new Change.Joined("terminated", IndexSet.of(0)));
        assertThat(other.get("outcome").text()).isEqualTo("interrupted");
        assertThat(other.check(List.of("void"))).isFalse();
    }

    @Test
    void goodbyeRevokesTheLastWill() throws Exception {
        BlockingQueue<StoreException> losses = new LinkedBlockingQueue<>();
        store.onLost(losses::add);
        store.lastWill(new Operation.Set("will", Value.empty()));
        mine.goodbye().run();
        mine.goodbye().run();

        assertThatThrownBy(() -> other.get("will", SHORT)).isInstanceOf(StoreTimeoutException.class);
        assertThat(losses).isEmpty();
        assertThatThrownBy(() -> store.set("key", "text")).isInstanceOf(StoreLostException.class);
    }

    @Test
    void requestsThatWaitAtTheEndOfASessionFail() throws Exception {
        CompletableFuture<List<@Nullable Object>> one = store.submit(List.of(new Operation.Get("a")), LONG);
        CompletableFuture<List<@Nullable Object>> two = store.submit(List.of(new Operation.Get("b")), LONG);
        mine.goodbye().run();

        Throwable first = failure(one);
        Throwable second = failure(two);
        assertThat(first).isInstanceOf(StoreLostException.class).isNotSameAs(second);
        assertThat(second).isInstanceOf(StoreLostException.class);
    }

    @Test
    void lossIsReportedOnce() throws Exception {
        BlockingQueue<StoreException> losses = new LinkedBlockingQueue<>();
        store.onLost(losses::add);
        mine.death().run();
        assertThat(losses.poll(10, TimeUnit.SECONDS)).isInstanceOf(StoreLostException.class);
        store.onLost(losses::add);
        mine.goodbye().run();

        assertThat(losses.poll(10, TimeUnit.SECONDS)).isInstanceOf(StoreLostException.class);
        assertThat(losses).isEmpty();
        assertThatThrownBy(() -> store.set("key", "text")).isInstanceOf(StoreLostException.class);
    }

    @Test
    void expiredLeaseEndsTheSessionAndFencesIt() throws Exception {
        BlockingQueue<StoreException> losses = new LinkedBlockingQueue<>();
        store.onLost(losses::add);
        store.lastWill(new Operation.AddToSet("terminated", IndexSet.of(0)));
        CompletableFuture<List<@Nullable Object>> waiting = store.submit(List.of(new Operation.Get("a")), LONG);

        store.execute(new Operation.Lease(SHORT), LONG);
        silence(true);
        await().until(() -> other.members("terminated").contains(0));
        silence(false);

        assertThat(losses.poll(10, TimeUnit.SECONDS)).isInstanceOf(SessionExpiredException.class);
        assertThat(failure(waiting))
                .isInstanceOf(SessionExpiredException.class)
                .hasMessageContaining("lease was not renewed for 0.02 s");
        assertThat(other.members("terminated")).isEqualTo(IndexSet.of(0));
        assertThatThrownBy(() -> store.set("key", "text")).isInstanceOf(SessionExpiredException.class);
        assertThat(other.check(List.of("key"))).isFalse();
    }

    @Test
    void anotherSessionRenewsALease() throws Exception {
        store.execute(new Operation.Lease(Duration.ofMinutes(1)), LONG);

        assertThat(store.session()).isNotZero().isNotEqualTo(other.session());
        other.execute(store.renewal(), LONG);
        other.execute(new Operation.Renew(12345, store.renewal().token()), LONG);
        store.set("key", "text");
    }

    @Test
    void interruptEndsAWaitAndWithdrawsIt() throws Exception {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, 2)).whenComplete(new Operation.Add("done", 1));
        Thread thread = new Thread(() -> {
            try {
                store.batch(LONG, new Operation.Arrive(barrier, IndexSet.of(0), true), new Operation.Add("woken", 1));
            } catch (InterruptedException | RuntimeException e) {
                thrown.set(e);
            }
        });
        thread.start();
        await().until(() -> store.members("barrier").contains(0));

        thread.interrupt();
        thread.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        store.keyCount(); // after the withdrawal, which has no answer
        other.barrier(barrier, IndexSet.of(1), LONG);
        assertThat(other.get("done").number()).isEqualTo(1);
        assertThat(other.check(List.of("woken"))).isFalse();
    }

    // ---

    /** Returns the next change as soon as it is reported. */
    private static @Nullable Change next(BlockingQueue<Change> changes) throws InterruptedException {
        return changes.poll(10, TimeUnit.SECONDS);
    }

    private static @Nullable Throwable failure(CompletableFuture<?> answer) {
        return answer.handle((result, failure) -> failure).join();
    }

    /** A blocking call. */
    private interface Call {
        void run() throws Exception;
    }

    /** Runs a call on its own thread. */
    private static CompletableFuture<Void> onThread(Call call) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                call.run();
                done.complete(null);
            } catch (Exception | AssertionError failure) {
                done.completeExceptionally(failure);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return done;
    }
}

package dev.resiliency.store.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreLimit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The count of a keyspace's contents, and its limits. */
class UsageTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakeTimer timer = new FakeTimer();
    private final Map<StoreLimit, Long> limits = new EnumMap<>(StoreLimit.class);
    private final RecordingOutput output = new RecordingOutput();
    private Keyspace keyspace = new Keyspace(timer, Limits.defaults());
    private KeyspaceSession session = keyspace.open(output);

    private void limit(StoreLimit limit, long value) {
        limits.put(limit, value);
        keyspace = new Keyspace(timer, Limits.of(limits));
        session = keyspace.open(output);
    }

    private List<String> say(long request, Operation<?>... operations) {
        session.submit(request, List.of(operations), SECOND);
        return output.said();
    }

    private static Operation.Set set(String key, int bytes) {
        return new Operation.Set(key, Value.of(new byte[bytes]));
    }

    private long bytes() {
        return keyspace.holdings().bytes();
    }

    /** Two of the same number are equal. */
    private record Listener(int number) implements Consumer<Change> {
        @Override
        public void accept(Change change) {}
    }

    // --- what is counted

    @Test
    void keysAndValuesAreCounted() {
        say(1, set("key", 100), set("schlüssel", 0));
        long second = Sizes.ofStored("schlüssel");
        assertThat(second).isEqualTo(Sizes.ofStored("") + 10);
        assertThat(bytes()).isEqualTo(Sizes.ofStored("key") + 100 + second);

        say(2, set("key", 7), new Operation.Append("key", Value.of("abc")));
        assertThat(bytes()).isEqualTo(Sizes.ofStored("key") + 10 + second);

        say(3, new Operation.Delete("key"), new Operation.Delete("key"));
        assertThat(bytes()).isEqualTo(second);
    }

    @Test
    void textCountsItsBytesInUtf8() {
        for (String text : List.of("", "a", "\u007f\u0080", "\u07ff\u0800", "\uffff", "a😀b")) {
            assertThat(Sizes.of(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        }
    }

    @Test
    void waitingRequestIsCountedUntilItsEnd() {
        say(1, new Operation.Get("missing"));
        assertThat(keyspace.holdings()).isEqualTo(new Holdings(0, Sizes.REQUEST + Sizes.OPERATION + 7, 1, 1, 0));

        timer.advance(SECOND);

        assertThat(keyspace.holdings()).isEqualTo(new Holdings(0, 0, 1, 0, 0));
    }

    @Test
    void resultsOfAWaitingRequestAreCounted() {
        say(1, set("key", 1000));
        long before = bytes();

        say(2, new Operation.Get("key"), new Operation.Get("a"), new Operation.Get("key"), new Operation.Get("b"));
        assertThat(bytes() - before).isBetween(1000L, 1999L);
        say(3, set("a", 0));
        assertThat(bytes() - before).isBetween(2000L, 2999L);
        say(4, set("b", 0));

        assertThat(bytes() - before).isEqualTo(2 * Sizes.ofStored("a"));
    }

    /** A store that counted less would fill its heap before it is full. */
    @Test
    void whatTakesMemoryCountsAsMuch() {
        limit(StoreLimit.WAITERS, 100_000);
        assertCounted(100_000, i -> set("key-" + i, 0));
        assertCounted(100_000, i -> new Operation.AddToSet("set-" + i, IndexSet.of(0)));
        assertCounted(
                100_000,
                i -> new Operation.Arrive(Barrier.of("barrier-" + i, IndexSet.of(0, 1)), IndexSet.of(0), false));
        assertCounted(
                500,
                i -> new Operation.Await(
                        IntStream.range(0, 1_000).mapToObj(key -> i + "-" + key).toList()));
        assertCounted(50_000, i -> new Operation.Get("missing-" + i));
        assertCounted(
                1,
                i -> new Operation.LastWill(IntStream.range(0, 500_000)
                        .<Operation<?>>mapToObj(key -> new Operation.KeyCount("p-" + key))
                        .toList()));
    }

    private void assertCounted(int number, IntFunction<Operation<?>> operation) {
        long heap = usedHeap();
        long counted = bytes();
        for (int i = 1; i <= number; i++) {
            session.submit(i, List.of(operation.apply(i)), SECOND);
        }

        long taken = usedHeap() - heap;
        assertThat(bytes() - counted).isBetween(taken * 8 / 10, taken * 25 / 10);
        session.abandon();
        session = keyspace.open(output);
    }

    private long usedHeap() {
        output.said(); // forgets it
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void deletedBarrierIsCountedUntilItsLastWaiterIsGone() {
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, 640));
        say(1, new Operation.Arrive(barrier, IndexSet.of(0), true));
        long waiting = bytes();
        say(2, new Operation.Delete("barrier"));
        assertThat(bytes()).isEqualTo(waiting - Sizes.ofStored("barrier"));

        session.cancel(1);

        assertThat(bytes()).isZero();
    }

    @Test
    void bytesOfAnEndedSessionAreReleased() {
        say(
                1,
                new Operation.LastWill(List.of(set("will", 50))),
                new Operation.Watch("key", new Listener(1)),
                new Operation.Watch("key", new Listener(1)),
                new Operation.Get("missing"));
        assertThat(keyspace.holdings()).isEqualTo(new Holdings(0, bytes(), 1, 1, 1));

        session.abandon();

        assertThat(keyspace.holdings()).isEqualTo(new Holdings(1, Sizes.ofStored("will") + 50, 0, 0, 0));
    }

    /** Whatever happens, the running count equals a full count. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void countIsExact(long seed) {
        Random random = new Random(seed);
        limit(StoreLimit.TOTAL_BYTES, 20_000);
        limit(StoreLimit.KEYS, 12);
        limit(StoreLimit.WAITERS, 5);
        int refused = 0;
        for (int round = 0; round < 40; round++) {
            List<KeyspaceSession> sessions = new ArrayList<>(
                    Stream.generate(() -> keyspace.open(output)).limit(4).toList());
            for (int step = 1; step <= 100; step++) {
                KeyspaceSession one = sessions.get(random.nextInt(sessions.size()));
                one.submit(step, operations(random), SECOND);
                if (random.nextInt(10) == 0) {
                    one.cancel(random.nextInt(step) + 1);
                }
                if (random.nextInt(50) == 0) {
                    timer.advance(SECOND);
                }
                if (random.nextInt(50) == 0) {
                    one.abandon();
                }
                assertThat(bytes()).isBetween(recount(), 20_000L);
            }
            refused += (int) output.said().stream()
                    .filter(said -> said.contains("(max-"))
                    .count();
            Collections.shuffle(sessions, random);
            sessions.forEach(random.nextBoolean() ? KeyspaceSession::close : KeyspaceSession::abandon);

            assertThat(keyspace.holdings())
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(new Holdings(keyspace.entries().count(), recount(), 1, 0, 0));
        }
        assertThat(refused).isPositive();

        say(1, new Operation.DeleteAll(""));
        assertThat(keyspace.holdings()).isEqualTo(new Holdings(0, 0, 1, 0, 0));
        assertThat(timer.pending()).isZero();
    }

    private long recount() {
        Entries entries = keyspace.entries();
        return entries.keys("").stream()
                .mapToLong(key -> Sizes.ofStored(key)
                        + Objects.requireNonNull(entries.find(key)).bytes())
                .sum();
    }

    private static List<Operation<?>> operations(Random random) {
        return Stream.<Operation<?>>generate(() -> operation(random, 2))
                .limit(1 + random.nextInt(3))
                .toList();
    }

    private static Operation<?> operation(Random random, int depth) {
        Supplier<String> key = () -> "key-%d".formatted(random.nextInt(16));
        Supplier<Value> value = () -> Value.of(new byte[random.nextInt(2000)]);
        Supplier<IndexSet> members = () -> IndexSet.of(IntStream.generate(() -> random.nextInt(4000))
                .limit(random.nextInt(4))
                .toArray());
        List<Supplier<Operation<?>>> kinds = new ArrayList<>(Arrays.asList(
                () -> new Operation.Set(key.get(), value.get()),
                () -> new Operation.MultiSet(Map.of("a" + key.get(), value.get(), key.get(), value.get())),
                () -> new Operation.Add(key.get(), random.nextInt(1000)),
                () -> new Operation.Append(key.get(), value.get()),
                () -> new Operation.CompareAndSet(key.get(), Value.empty(), value.get()),
                () -> new Operation.Claim(key.get(), value.get()),
                () -> new Operation.Delete(key.get()),
                () -> new Operation.DeleteAll(key.get()),
                () -> new Operation.AddToSet(key.get(), members.get()),
                () -> new Operation.Confirm(key.get(), members.get()),
                () -> new Operation.Arrive(barrier(random, depth, key, members), members.get(), false)));
        if (depth == 2) {
            kinds.addAll(List.of(
                    () -> new Operation.Get(key.get()),
                    () -> new Operation.Await(List.of(key.get(), key.get())),
                    () -> new Operation.Arrive(barrier(random, depth, key, members), members.get(), true),
                    () -> new Operation.Watch(key.get(), new Listener(random.nextInt(3))),
                    () -> new Operation.Unwatch(key.get(), new Listener(random.nextInt(3))),
                    () -> new Operation.LastWill(List.of(operation(random, 1)))));
        }
        return kinds.get(random.nextInt(kinds.size())).get();
    }

    private static Barrier barrier(Random random, int depth, Supplier<String> key, Supplier<IndexSet> members) {
        boolean isNamed = random.nextBoolean();
        return new Barrier(
                key.get(),
                isNamed ? null : members.get().union(IndexSet.of(1)),
                isNamed ? key.get() : null,
                random.nextBoolean() ? key.get() : null,
                random.nextBoolean(),
                depth == 0 || random.nextBoolean() ? List.of() : List.of(operation(random, 0)));
    }

    // --- what is rejected

    @Test
    void oneKeyTooManyIsRejected() {
        limit(StoreLimit.KEYS, 2);
        say(1, set("a", 1), set("b", 1));

        assertThat(say(2, set("c", 1)))
                .containsExactly("fail 2 c: a key beyond the existing 2 would be over the limit of 2 (max-keys)");
        assertThat(say(3, set("a", 5))).containsExactly("reply 3 [null]");
        assertThat(say(4, new Operation.MultiSet(Map.of("a", Value.of("x"), "c", Value.of("x")))))
                .singleElement()
                .asString()
                .contains("max-keys");
        say(5, new Operation.Delete("b"));
        assertThat(say(6, new Operation.AddToSet("c", IndexSet.of(1)))).containsExactly("reply 6 [null]");
    }

    @Test
    void oneByteTooManyIsRejectedAndChangesNothing() {
        limit(StoreLimit.TOTAL_BYTES, 500);
        say(1, set("a", 60));

        assertThat(say(2, set("b", 39)))
                .containsExactly("fail 2 b: 240 bytes more go over the limit of 500 (max-total-bytes): 261 are in use");
        assertThat(say(3, new Operation.Append("a", Value.of(new byte[240])))).hasSize(1);
        assertThat(say(4, new Operation.AddToSet("s", IndexSet.of(1000))))
                .singleElement()
                .asString()
                .contains("fail");
        assertThat(say(5, new Operation.Watch("w".repeat(240), new Listener(1))))
                .singleElement()
                .asString()
                .contains("fail");
        assertThat(say(6, new Operation.LastWill(List.of(set("b", 300)))))
                .singleElement()
                .asString()
                .contains("fail");
        assertThat(say(7, new Operation.Get("g".repeat(40))))
                .singleElement()
                .asString()
                .contains("fail");
        assertThat(keyspace.holdings()).isEqualTo(new Holdings(1, 261, 1, 0, 0));
        assertThat(say(8, set("b", 38))).containsExactly("reply 8 [null]");
    }

    @Test
    void setMayNotGrowTheBarriersThatDependOnItOverTheLimit() {
        limit(StoreLimit.TOTAL_BYTES, 1000 + 10 * (Sizes.ofStored("") + Sizes.BARRIER));
        for (int i = 0; i < 10; i++) {
            say(1, new Operation.Arrive(Barrier.ofMembers("b" + i, "set"), IndexSet.empty(), false));
        }
        long before = bytes();

        assertThat(say(2, new Operation.AddToSet("set", IndexSet.of(6399))))
                .singleElement()
                .asString()
                .contains("set: 9003 bytes more go over the limit of 6000");
        assertThat(bytes()).isEqualTo(before);
    }

    @Test
    void resultsTooLargeForAnAnswerAreRejected() {
        limit(StoreLimit.FRAME_BYTES, 1000);
        say(1, set("key", 300), new Operation.AddToSet("set", evenNumbersBelow(400)));

        assertThat(say(2, new Operation.MultiGet(List.of("key", "key", "key"))))
                .singleElement()
                .asString()
                .startsWith("reply 2");
        assertThat(say(3, new Operation.MultiGet(List.of("key", "key", "key", "key"))))
                .singleElement()
                .asString()
                .contains("fail 3", "over the limit of 1000 (max-frame-bytes)");
        assertThat(say(4, new Operation.Members("set"), new Operation.Members("set"), new Operation.Members("set")))
                .singleElement()
                .asString()
                .contains("fail 4", "max-frame-bytes");
        assertThat(say(5, repeated(new Operation.Keys(""), 250)))
                .singleElement()
                .asString()
                .contains("fail 5", "max-frame-bytes");
        assertThat(say(6, repeated(new Operation.Add("counter", 1), 200)))
                .singleElement()
                .asString()
                .contains("fail 6", "max-frame-bytes");
        assertThat(say(7, new Operation.Get("counter"))).containsExactly("reply 7 [112]");
    }

    private static IndexSet evenNumbersBelow(int end) {
        return IndexSet.of(IntStream.range(0, end / 2).map(half -> 2 * half).toArray());
    }

    private static Operation<?>[] repeated(Operation<?> operation, int times) {
        return Collections.nCopies(times, operation).toArray(Operation<?>[]::new);
    }

    @Test
    void waitingRequestMayNotHoldResultsOverTheLimit() {
        limit(StoreLimit.TOTAL_BYTES, 2_100);
        say(1, set("key", 400));

        say(2, new Operation.Get("key"), new Operation.Get("a"), new Operation.Get("key"), new Operation.Get("b"));
        assertThat(say(3, set("a", 0)))
                .containsExactlyInAnyOrder(
                        "reply 3 [null]",
                        "fail 2 a pending request: 404 bytes more go over the limit of 2100 (max-total-bytes): 1970 are in use");
        assertThat(bytes()).isEqualTo(Sizes.ofStored("key") + 400 + Sizes.ofStored("a"));
    }

    @Test
    void oneWaiterOrWatchTooManyIsRejected() {
        limit(StoreLimit.WAITERS, 1);
        say(1, new Operation.Get("a"), new Operation.Get("b"));

        assertThat(say(2, new Operation.Get("a")))
                .containsExactly("fail 2 a pending request beyond 1 is over the limit of 1 (max-waiters)");
        say(3, new Operation.Watch("a", new Listener(1)), new Operation.Watch("a", new Listener(1)));
        assertThat(say(4, new Operation.Watch("b", new Listener(1))))
                .containsExactly("fail 4 key b: a watch beyond 1 is over the limit of 1 (max-waiters)");
        session.cancel(1);
        assertThat(say(5, new Operation.Get("a"))).isEmpty();
    }
}

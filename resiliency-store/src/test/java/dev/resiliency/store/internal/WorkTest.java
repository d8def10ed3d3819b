package dev.resiliency.store.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one request may make all others wait for. */
@Timeout(60)
class WorkTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RecordingOutput output = new RecordingOutput();
    private final Keyspace keyspace = new Keyspace(new FakeTimer(), Limits.defaults());
    private final KeyspaceSession session = keyspace.open(output);

    private List<String> say(Operation<?>... operations) {
        session.submit(1, List.of(operations), SECOND);
        return output.said();
    }

    private List<String> say(Operation<?> operation, int times) {
        return say(Collections.nCopies(times, operation).toArray(Operation<?>[]::new));
    }

    private void fill(int keys) {
        for (int i = 0; i < keys; i++) {
            session.submit(KeyspaceSession.ONE_WAY, List.of(new Operation.Set("k" + i, Value.empty())), SECOND);
        }
    }

    @Test
    void requestThatLooksAtTooManyKeysIsRefused() {
        fill(10_000);

        for (Operation<?> operation :
                List.of(new Operation.KeyCount("k"), new Operation.Keys("k"), new Operation.DeleteAll("k1x"))) {
            assertThat(say(operation, 1)).singleElement().asString().startsWith("reply");
        }
        assertThat(say(new Operation.KeyCount("k"), 10_000))
                .containsExactly(
                        "fail 1 a request looks at more than 1000000 keys, during which all others wait: request less at once");
        assertThat(say(new Operation.KeyCount("k"), 100))
                .singleElement()
                .asString()
                .startsWith("reply");
    }

    @Test
    void lastWillThatLooksAtTooManyKeysIsNotCarriedOut() {
        fill(10_000);
        say(new Operation.LastWill(Collections.nCopies(100_000, new Operation.KeyCount("k"))));
        KeyspaceSession other = keyspace.open(output);

        session.abandon();

        other.submit(1, List.of(new Operation.KeyCount("k")), SECOND);
        assertThat(output.said()).containsExactly("reply 1 [10000]");
    }

    @Test
    void lastWillThatReadsALargeSetTooOftenIsNotCarriedOut() {
        say(new Operation.AddToSet("set", everySecond(200_000)));
        List<Operation<?>> will = new ArrayList<>(Collections.nCopies(100, new Operation.Members("set")));
        will.add(new Operation.Set("will", Value.empty()));
        say(new Operation.LastWill(will));
        KeyspaceSession other = keyspace.open(output);

        session.abandon();

        other.submit(1, List.of(new Operation.Check(List.of("will"))), SECOND);
        assertThat(output.said()).containsExactly("reply 1 [false]");
    }

    private static IndexSet everySecond(int end) {
        return IndexSet.of(IntStream.range(0, end / 2).map(half -> 2 * half).toArray());
    }

    @Test
    void workOfEarlierRequestsIsNotThatOfALastWill() {
        fill(10_000);
        KeyspaceSession other = keyspace.open(output);
        say(new Operation.LastWill(List.of(
                new Operation.KeyCount("k"), new Operation.KeyCount("k"), new Operation.Set("will", Value.empty()))));
        other.submit(1, Collections.nCopies(99, new Operation.KeyCount("k")), SECOND);
        output.said();

        session.abandon();

        other.submit(2, List.of(new Operation.Check(List.of("will"))), SECOND);
        assertThat(output.said()).containsExactly("reply 2 [true]");
    }

    @Test
    void requestThatCopiesALargeValueTooOftenIsRefused() {
        say(new Operation.Set("large", Value.of(new byte[1 << 20])));

        assertThat(say(new Operation.Append("large", Value.of("x")), 20_000))
                .containsExactly(
                        "fail 1 a request copies more than 67108864 bytes within the store, during which all others wait: request less at once");
        for (int i = 0; i < 100; i++) {
            assertThat(say(new Operation.Append("large", Value.of("x")))).containsExactly("reply 1 [null]");
        }
    }

    /** If each of these requests decoded the value, they would take more than the time limit of the test. */
    @Test
    void largeValueIsNotDecodedToAddToIt() {
        say(new Operation.Set("large", Value.of("1".repeat(8 << 20))));
        for (int i = 0; i < 50_000; i++) {
            say(new Operation.Add("large", 1));
        }

        assertThat(say(new Operation.Add("large", 1)))
                .containsExactly("fail 1 key large holds '" + "1".repeat(64) + "…', which is not a number");
    }

    /** With time that grows with the square of the runs, this would take minutes. */
    @Test
    void barrierOfManyRangesTakesTimeInProportionToThem() {
        int[] pairs = IntStream.range(0, Limits.MEMBERS - 3)
                .filter(member -> member % 3 != 2)
                .toArray();
        IndexSet ranges = IndexSet.of(pairs);
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, Limits.MEMBERS));
        IndexSet all = IndexSet.range(0, Limits.MEMBERS - 1);

        for (int i = 0; i < 100; i++) {
            say(new Operation.Arrive(barrier, i == 0 ? all : ranges, false));
        }
        say(new Operation.Arrive(barrier, IndexSet.of(Limits.MEMBERS - 1), false));

        assertThat(say(new Operation.Arrive(barrier, ranges, true))).containsExactly("reply 1 [null]");
    }

    @Test
    void refusalShowsTheStartOfKeysAndValuesInOneLine() {
        String longKey = "k".repeat(4_000);

        assertThat(say(new Operation.Set(longKey, Value.of("x".repeat(100))), new Operation.Add(longKey, 1)))
                .containsExactly(
                        "fail 1 key %s… holds '%s…', which is not a number".formatted("k".repeat(64), "x".repeat(64)));
        assertThat(say(new Operation.Set("a\nb\u001b", Value.of("x\ny")), new Operation.Add("a\nb\u001b", 1)))
                .containsExactly("fail 1 key a\\nb\\u001b holds 'x\\ny', which is not a number");
    }
}

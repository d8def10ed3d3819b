package dev.resiliency.store.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyspaceTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Value TEXT = Value.of("text");

    private final FakeTimer timer = new FakeTimer();
    private final Keyspace keyspace = new Keyspace(timer, Limits.of(Map.of(StoreLimit.WAITERS, 10_000L)));
    private final RecordingOutput mine = new RecordingOutput();
    private final RecordingOutput yours = new RecordingOutput();
    private final KeyspaceSession me = keyspace.open(mine);
    private final KeyspaceSession you = keyspace.open(yours);

    /** Identifies a watch; its changes go to the output. All instances are equal. */
    private record Listener() implements Consumer<Change> {
        @Override
        public void accept(Change change) {}
    }

    private static void submit(KeyspaceSession session, long request, Operation<?>... operations) {
        session.submit(request, List.of(operations), SECOND);
    }

    // --- waiting

    @Test
    void waitEndsWhenItsTimeIsOver() {
        submit(me, 1, new Operation.Get("key"));
        timer.advance(SECOND.minusNanos(1));
        assertThat(mine.said()).isEmpty();

        timer.advance(Duration.ofNanos(1));

        assertThat(mine.said()).containsExactly("fail 1 key key was not set within 1.0 s");
        submit(you, 1, new Operation.Set("key", TEXT));
        assertThat(mine.said()).isEmpty();
    }

    @Test
    void limitOfARequestCoversAllItsWaits() {
        submit(me, 1, new Operation.Get("a"), new Operation.Get("b"));
        timer.advance(Duration.ofMillis(600));
        submit(you, 1, new Operation.Set("a", TEXT));
        timer.advance(Duration.ofMillis(400));

        assertThat(mine.said()).containsExactly("fail 1 key b was not set within 1.0 s");
    }

    @Test
    void sessionHasOneTimerHoweverOftenItWaits() {
        for (int i = 1; i <= 100; i++) {
            submit(me, i, new Operation.Get("key"));
            submit(me, 1000 + i, new Operation.Get("key"));
            submit(you, 1, new Operation.Set("key", TEXT));
            submit(you, 2, new Operation.Delete("key"));
            timer.advance(Duration.ofMillis(30));
            assertThat(mine.said())
                    .containsExactly("reply %d [text]".formatted(i), "reply %d [text]".formatted(1000 + i));
            assertThat(timer.pending()).isLessThanOrEqualTo(1);
        }
        timer.advance(SECOND);

        assertThat(timer.pending()).isZero();
    }

    @Test
    void everyWaitHasItsOwnLimit() {
        for (int i = 1; i <= 5; i++) {
            me.submit(i, List.of(new Operation.Get("key")), Duration.ofSeconds(i * 3 % 7)); // 3, 6, 2, 5, 1
        }
        for (int seconds = 1; seconds <= 6; seconds++) {
            timer.advance(SECOND.minusNanos(1));
            assertThat(mine.said()).isEmpty();
            timer.advance(Duration.ofNanos(1));
            assertThat(mine.said()).hasSize(seconds == 4 ? 0 : 1).allMatch(said -> said.startsWith("fail "));
        }
        assertThat(timer.pending()).isZero();
    }

    @Test
    void endedSessionLeavesNoTimer() {
        submit(me, 1, new Operation.Get("key"));
        me.close();

        assertThat(timer.pending()).isZero();
    }

    @Test
    void withdrawnRequestIsNotAnswered() {
        submit(me, 1, new Operation.Get("key"));
        me.cancel(1);
        me.cancel(1);
        me.cancel(7);

        submit(you, 1, new Operation.Set("key", TEXT));
        timer.advance(SECOND);

        assertThat(mine.said()).isEmpty();
        assertThat(timer.pending()).isZero();
    }

    @Test
    void waitForAKeyThatIsDeletedAtOnceContinues() {
        submit(me, 1, new Operation.Get("key"));
        submit(you, 1, new Operation.Set("key", TEXT), new Operation.Delete("key"));
        assertThat(mine.said()).isEmpty();

        submit(you, 2, new Operation.Set("key", TEXT));

        assertThat(mine.said()).containsExactly("reply 1 [text]");
    }

    @Test
    void allKeysMustExistAtTheSameTime() {
        submit(me, 1, new Operation.MultiGet(List.of("a", "b")));
        submit(you, 1, new Operation.Set("a", TEXT));
        submit(you, 2, new Operation.Delete("a"));
        submit(you, 3, new Operation.Set("b", TEXT));
        assertThat(mine.said()).isEmpty();

        submit(you, 4, new Operation.Set("a", TEXT));

        assertThat(mine.said()).containsExactly("reply 1 [[text, text]]");
    }

    @Test
    void timeoutNamesAFewOfManyKeys() {
        submit(
                me,
                1,
                new Operation.Await(
                        IntStream.range(0, 12).mapToObj(i -> "k" + i).toList()));
        timer.advance(SECOND);

        assertThat(mine.said())
                .containsExactly(
                        "fail 1 keys k0, k1, k2, k3, k4, k5, k6, k7, k8, k9 and 2 more were not set within 1.0 s");
    }

    @Test
    void getOfAKeyThatBecomesASetFails() {
        submit(me, 1, new Operation.Get("key"));
        submit(you, 1, new Operation.AddToSet("key", IndexSet.of(1)));

        assertThat(mine.said()).containsExactly("fail 1 key key holds a set, and this operation needs a value");
    }

    @Test
    void requestWithoutAnAnswerDoesNotWait() {
        submit(me, KeyspaceSession.ONE_WAY, new Operation.Set("a", TEXT), new Operation.Get("key"));

        submit(you, 1, new Operation.Set("key", TEXT), new Operation.Check(List.of("a")));

        assertThat(mine.said()).isEmpty();
        assertThat(yours.said()).containsExactly("reply 1 [null, true]");
        assertThat(timer.pending()).isZero();
    }

    @Test
    void requestMayNotBeSentTwice() {
        submit(me, 1, new Operation.Get("key"));

        assertThatThrownBy(() -> submit(me, 1, new Operation.Get("key"))).isInstanceOf(IllegalArgumentException.class);
    }

    // --- watches

    @Test
    void stateIsReportedBeforeTheReply() {
        submit(you, 1, new Operation.Set("key", TEXT));
        submit(me, 1, new Operation.Watch("key", new Listener()));

        assertThat(mine.said()).containsExactly("tell Written[key=key, value=text]", "reply 1 [null]");
    }

    @Test
    void watchingTwiceReportsOnce() {
        submit(me, 1, new Operation.Watch("key", new Listener()), new Operation.Watch("key", new Listener()));
        submit(you, 1, new Operation.Set("key", TEXT));

        assertThat(mine.said()).containsExactly("reply 1 [null, null]", "tell Written[key=key, value=text]");
    }

    @Test
    void deletingAllNotifiesEachWatch() {
        submit(you, 1, new Operation.AddToSet("p/a", IndexSet.of(1)), new Operation.Set("p/b", TEXT));
        submit(me, 1, new Operation.Watch("p/a", new Listener()), new Operation.Watch("p/b", new Listener()));
        mine.said();

        submit(you, 2, new Operation.DeleteAll("p/"));

        assertThat(mine.said()).containsExactly("tell Deleted[key=p/a]", "tell Deleted[key=p/b]");
    }

    @Test
    void eachWatchOfAPrefixIsNotified() {
        submit(
                me,
                1,
                new Operation.WatchPrefix("", new Listener()),
                new Operation.WatchPrefix("a/", new Listener()),
                new Operation.WatchPrefix("a/b", new Listener()),
                new Operation.WatchPrefix("b/", new Listener()),
                new Operation.WatchPrefix("a/bc", new Listener()));
        mine.said();

        submit(you, 1, new Operation.Set("a/b", TEXT));

        assertThat(mine.said()).hasSize(3).allMatch("tell Written[key=a/b, value=text]"::equals);
    }

    @Test
    void endedSessionWatchesNoPrefix() {
        submit(me, 1, new Operation.WatchPrefix("a/", new Listener()));
        mine.said();
        me.close();

        submit(you, 1, new Operation.Set("a/b", TEXT));

        assertThat(mine.said()).isEmpty();
    }

    @Test
    void watchOfAPrefixWithTooManyKeysIsRejected() {
        for (int i = 0; i <= 16_384; i++) {
            submit(you, 1, new Operation.Set("p/" + i, TEXT));
        }
        submit(me, 1, new Operation.WatchPrefix("p/", new Listener()));
        assertThat(mine.said())
                .singleElement()
                .asString()
                .startsWith("fail 1 16385 keys of ")
                .endsWith(
                        "a watch of a prefix may begin with at most 16384 keys of 1048576 bytes: watch a longer prefix");
        submit(you, 1, new Operation.Set("p/x", TEXT));
        assertThat(mine.said()).isEmpty();
    }

    // --- barriers

    @Test
    void expectedAndExcusedMayBeDifferentSets() {
        Barrier barrier = Barrier.ofMembers("barrier", "members").excusing("terminated");
        submit(me, 1, new Operation.Arrive(barrier, IndexSet.of(0), true));
        submit(you, 1, new Operation.AddToSet("terminated", IndexSet.of(2, 9)));
        submit(you, 2, new Operation.AddToSet("members", IndexSet.of(0, 1, 2)));
        assertThat(mine.said()).isEmpty();

        submit(you, 3, new Operation.AddToSet("terminated", IndexSet.of(1)));

        assertThat(mine.said()).containsExactly("reply 1 [null]");
    }

    @Test
    void emptyArrivalOnlyWaits() {
        Barrier barrier = Barrier.of("barrier", IndexSet.of(0));
        submit(me, 1, new Operation.Arrive(barrier, IndexSet.empty(), true));
        assertThat(mine.said()).isEmpty();

        submit(you, 1, new Operation.Arrive(barrier, IndexSet.of(0), false));

        assertThat(mine.said()).containsExactly("reply 1 [null]");
    }

    @Test
    void rejectedArrivalDoesNotCreateTheBarrier() {
        submit(me, 1, new Operation.Arrive(Barrier.of("barrier", IndexSet.of(0)), IndexSet.of(1), false));
        submit(me, 2, new Operation.KeyCount(""));

        assertThat(mine.said()).hasSize(2).last().isEqualTo("reply 2 [0]");
    }

    @Test
    void waitAtADeletedBarrierContinues() {
        Barrier barrier = Barrier.of("barrier", IndexSet.of(0, 1)).excusing("terminated");
        submit(me, 1, new Operation.Arrive(barrier, IndexSet.of(0), true));
        submit(you, 1, new Operation.Delete("barrier"));
        submit(you, 2, new Operation.AddToSet("terminated", IndexSet.of(1)));
        submit(you, 3, new Operation.Arrive(barrier, IndexSet.of(0), false));
        assertThat(mine.said()).isEmpty();

        timer.advance(SECOND);

        assertThat(mine.said()).containsExactly("fail 1 barrier barrier: 1 of 2 arrived after 1.0 s; missing {1}");
    }

    @Test
    void deletedSetStillExcusesItsMembers() {
        Barrier barrier = Barrier.of("barrier", IndexSet.of(0, 1)).excusing("terminated");
        submit(me, 1, new Operation.AddToSet("terminated", IndexSet.of(1)));
        submit(me, 2, new Operation.Arrive(barrier, IndexSet.empty(), true));
        submit(you, 1, new Operation.Delete("terminated"));
        mine.said();

        submit(you, 2, new Operation.Arrive(barrier, IndexSet.of(0), false));

        assertThat(mine.said()).containsExactly("reply 2 [null]");
    }

    @Test
    void operationThatFailsAtCompletionIsSkipped() {
        Barrier barrier = Barrier.of("barrier", IndexSet.of(0))
                .whenComplete(
                        new Operation.Set("a", TEXT),
                        new Operation.Watch("key", new Listener()),
                        new Operation.Set("b", TEXT));
        submit(me, 1, new Operation.Arrive(barrier, IndexSet.of(0), true), new Operation.Keys(""));

        assertThat(mine.said()).containsExactly("reply 1 [null, [a, barrier]]");
    }

    @Test
    void barrierCompletesOnceEvenIfItsSetsGrowAfterwards() {
        Barrier barrier = Barrier.ofMembers("barrier", "members")
                .excusing("terminated")
                .whenComplete(new Operation.Add("completions", 1));
        submit(me, 1, new Operation.AddToSet("members", IndexSet.of(0, 1)));
        submit(me, 2, new Operation.Arrive(barrier, IndexSet.of(0, 1), false));

        submit(you, 1, new Operation.AddToSet("terminated", IndexSet.of(1)));
        submit(
                you,
                2,
                new Operation.AddToSet("terminated", IndexSet.of(2)),
                new Operation.AddToSet("members", IndexSet.of(2)));
        mine.said();

        submit(me, 3, new Operation.Add("completions", 0));
        assertThat(mine.said()).containsExactly("reply 3 [1]");
    }

    @Test
    void longChainOfBarriersNeedsNoDeepStack() {
        int length = 20_000;
        for (int i = 0; i < length; i++) {
            Barrier link = Barrier.ofMembers("barrier" + i, "set" + i)
                    .whenComplete(new Operation.AddToSet("set" + (i + 1), IndexSet.of(0)));
            submit(me, 1, new Operation.Arrive(link, IndexSet.of(0), false));
        }
        mine.said();

        submit(me, 2, new Operation.AddToSet("set0", IndexSet.of(0)), new Operation.Members("set" + length));

        assertThat(mine.said()).containsExactly("reply 2 [null, {0}]");
    }

    @Test
    @Timeout(20)
    void manyArriveAndManyAreExcusedInReasonableTime() {
        int size = 16_384;
        Barrier barrier = Barrier.ofMembers("barrier", "members").excusing("terminated");
        submit(me, 1, new Operation.AddToSet("members", IndexSet.range(0, size)));
        for (int rank = 0; rank < size / 2; rank++) {
            submit(me, rank + 2, new Operation.Arrive(barrier, IndexSet.of(rank), true));
        }
        assertThat(mine.said()).hasSize(1);

        for (int rank = size / 2; rank < size; rank++) {
            submit(you, rank, new Operation.AddToSet("terminated", IndexSet.of(rank)));
        }

        assertThat(mine.said()).hasSize(size / 2);
    }

    // --- sessions

    @Test
    void leaseRunsFromTheLastRenewal() {
        submit(me, 1, new Operation.Lease(SECOND), new Operation.LastWill(List.of(new Operation.Set("will", TEXT))));
        submit(you, 1, new Operation.Watch("will", new Listener()));
        timer.advance(Duration.ofMillis(900));
        submit(you, 2, new Operation.Renew(me.id(), me.token()));
        timer.advance(Duration.ofMillis(999));
        assertThat(mine.said()).containsExactly("reply 1 [null, null]", "probe", "probe");
        yours.said();

        timer.advance(Duration.ofMillis(1));

        assertThat(mine.said()).containsExactly("expired");
        assertThat(yours.said()).containsExactly("tell Written[key=will, value=text]");
        assertThat(timer.pending()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 500, 666, 668, 999})
    void leaseRunsInFullFromARenewalAtAnyMoment(int renewedMillis) {
        submit(me, 1, new Operation.Lease(SECOND));
        for (int i = 0; i < 3; i++) {
            timer.advance(Duration.ofMillis(renewedMillis));
            submit(you, KeyspaceSession.ONE_WAY, new Operation.Renew(me.id(), me.token()));
        }
        timer.advance(Duration.ofMillis(999));
        assertThat(mine.said()).startsWith("reply 1 [null]").endsWith("probe").doesNotContain("expired");
        assertThat(timer.pending()).isEqualTo(1);

        timer.advance(Duration.ofMillis(1));

        assertThat(mine.said()).containsExactly("expired");
        assertThat(timer.pending()).isZero();
    }

    @Test
    void sessionWithAnExpiredLeaseIsFenced() {
        submit(me, 1, new Operation.Lease(SECOND));
        timer.advance(SECOND);
        mine.said();

        submit(me, 2, new Operation.Set("key", TEXT));
        submit(me, KeyspaceSession.ONE_WAY, new Operation.Set("key", TEXT));
        submit(you, 1, new Operation.Renew(me.id(), me.token()), new Operation.Check(List.of("key")));

        assertThat(mine.said())
                .singleElement()
                .asString()
                .startsWith("fail 2 the session ended because its lease was not renewed for 1.0 s");
        assertThat(yours.said()).containsExactly("reply 1 [null, false]");
    }

    @Test
    void everyRequestOfTheSessionRenewsItsLease() {
        submit(me, 1, new Operation.Lease(SECOND));
        for (int i = 2; i < 5; i++) {
            timer.advance(Duration.ofMillis(600));
            submit(me, i, new Operation.Check(List.of("key")));
            timer.advance(Duration.ofMillis(600));
            submit(me, KeyspaceSession.ONE_WAY, new Operation.Set("other", TEXT));
            timer.advance(Duration.ofMillis(600));
            me.cancel(i);
        }

        assertThat(mine.said())
                .containsExactly("reply 1 [null]", "reply 2 [false]", "reply 3 [false]", "reply 4 [false]");
    }

    @Test
    void sessionIsProbedOnceBeforeItsLeaseExpires() {
        submit(me, 1, new Operation.Lease(SECOND));
        timer.advance(Duration.ofMillis(666));
        assertThat(mine.said()).containsExactly("reply 1 [null]");
        timer.advance(Duration.ofMillis(333));
        assertThat(mine.said()).containsExactly("probe");
        me.renew();
        timer.advance(Duration.ofMillis(666));

        assertThat(mine.said()).isEmpty();
    }

    @Test
    void storeThatWasStalledItselfProbesOnceMoreBeforeALeaseExpires() {
        submit(me, 1, new Operation.Lease(SECOND));
        timer.advance(Duration.ofMillis(700));
        mine.said();
        timer.stall(Duration.ofSeconds(1));
        timer.advance(Duration.ZERO);
        assertThat(mine.said()).containsExactly("probe");

        timer.advance(Duration.ofMillis(334));
        assertThat(mine.said()).containsExactly("expired");
    }

    @Test
    void leaseThatIsReplacedNoLongerEndsTheSession() {
        submit(me, 1, new Operation.Lease(SECOND));
        submit(me, 2, new Operation.Lease(Duration.ofSeconds(9)));
        assertThat(timer.pending()).isOne();

        timer.advance(Duration.ofSeconds(5));
        assertThat(mine.said()).containsExactly("reply 1 [null]", "reply 2 [null]");
        timer.advance(Duration.ofSeconds(4));

        assertThat(mine.said()).containsExactly("probe", "expired");
    }

    @Test
    void renewalWithoutTheTokenOfTheSessionDoesNotCount() {
        submit(me, 1, new Operation.Lease(SECOND));
        timer.advance(Duration.ofMillis(500));
        submit(you, 1, new Operation.Renew(me.id(), Value.empty()), new Operation.Renew(me.id(), you.token()));
        timer.advance(Duration.ofMillis(500));

        assertThat(mine.said()).containsExactly("reply 1 [null]", "probe", "expired");
    }

    /** A generator such as {@link SplittableRandom} would tell its state with each number. */
    @Test
    void idOfASessionDoesNotTellThatOfTheNext() {
        assertThat(new SplittableRandom(stateAfter(me.id())).nextLong()).isNotEqualTo(you.id());
        assertThat(new SplittableRandom(stateAfter(new SplittableRandom(7).nextLong())).nextLong())
                .isEqualTo(new SplittableRandom(7).longs(2).skip(1).sum());
    }

    /** Returns the state of a {@link SplittableRandom} that has returned this number. */
    private static long stateAfter(long number) {
        long state = (number ^ number >>> 31 ^ number >>> 62) * 0x319642B2D24D8EC3L;
        state = (state ^ state >>> 27 ^ state >>> 54) * 0x96DE1B173F119089L;
        return state ^ state >>> 30 ^ state >>> 60;
    }

    @Test
    void leaseMustBePositive() {
        submit(me, 1, new Operation.Lease(Duration.ZERO));

        assertThat(mine.said()).containsExactly("fail 1 a lease must be positive, not 0.0 s");
    }

    @Test
    void sessionThatEndsLeavesNothingBehind() {
        submit(me, 1, new Operation.Lease(SECOND), new Operation.Watch("a", new Listener()));
        submit(me, 2, new Operation.Get("b"));
        submit(me, 3, new Operation.Arrive(Barrier.of("barrier", IndexSet.of(0, 1)), IndexSet.of(0), true));
        mine.said();
        me.abandon();
        me.abandon();
        me.close();

        submit(you, 1, new Operation.Set("a", TEXT), new Operation.Set("b", TEXT));
        submit(you, 2, new Operation.Arrive(Barrier.of("barrier", IndexSet.of(0, 1)), IndexSet.of(1), true));

        assertThat(mine.said()).isEmpty();
        assertThat(yours.said()).containsExactly("reply 1 [null, null]", "reply 2 [null]");
        assertThat(timer.pending()).isZero();
    }

    @Test
    void lastWillReleasesThoseWaitingForIt() {
        Barrier barrier = Barrier.of("barrier", IndexSet.of(0, 1)).excusing("terminated");
        submit(me, 1, new Operation.LastWill(List.of(new Operation.AddToSet("terminated", IndexSet.of(1)))));
        submit(you, 1, new Operation.Arrive(barrier, IndexSet.of(0), true), new Operation.Members("terminated"));

        me.abandon();

        assertThat(yours.said()).containsExactly("reply 1 [null, {1}]");
    }

    @Test
    void keyspaceThatClosesCarriesOutNoLastWill() {
        submit(me, 1, new Operation.LastWill(List.of(new Operation.Set("will", TEXT))));
        submit(you, 1, new Operation.Watch("will", new Listener()));
        yours.said();

        keyspace.close();
        me.abandon();

        assertThat(yours.said()).isEmpty();
    }

    @Test
    void sessionsHaveDistinctIds() {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ids.add(keyspace.open(mine).id());
        }

        assertThat(ids).doesNotHaveDuplicates().doesNotContain(0L);
    }
}

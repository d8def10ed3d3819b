package dev.resiliency.inprocess.internal.loop;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RankDiscardedException;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.loop.VoterTest.RecordedSuccession;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.worker.CapturedLog;
import dev.resiliency.inprocess.internal.worker.LeavingOnPurpose;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/** Why a rank leaves, and what becomes of an alarm when the store that was lost is forgotten. */
class DepartureTest {
    private static final int ROUNDS = 20_000;

    private final Waker waker = new Waker();
    private final LeaveRequest request = new LeaveRequest(waker);
    private final RestartStore store = new RestartStore(InMemoryStore.create(), 0, 1);

    private Departure departure() {
        return departure(new Voter(null, false, waker, store.member(), 0), NOPLogger.NOP_LOGGER);
    }

    private Departure departure(Voter voter, Logger log) {
        return new Departure(
                store.terminations(),
                waker,
                Clock.SYSTEM,
                Announcements.of(log, new LogPrefix(0, 1), new RestartListener() {}, Announcements.Agent.NONE),
                0,
                new StoreHost("10.0.0.1:29500", 0, true),
                voter,
                request);
    }

    /** Returns whether a rank has ceded its vote, and so accepts what the others decide, if it leaves for this reason. */
    private boolean isVoteCeded(Throwable because) {
        RecordedSuccession succession = new RecordedSuccession();
        Voter voter = new Voter(succession, false, waker, store.member(), 0);
        voter.accept(0, IndexSet.range(0, 3), 0, List.of());

        departure(voter, NOPLogger.NOP_LOGGER).decide(because, null);

        return succession.vote().ceded();
    }

    private void moveTo(Departure departure) {
        departure.moveTo(store.terminations(), new StoreHost("10.0.0.1:29500", 0, false));
    }

    /** Returns at the same moment in both threads, for the next time. */
    private static void meet(AtomicInteger arrived) {
        int both = arrived.getAndIncrement() / 2 * 2 + 2;
        while (arrived.get() < both) {
            Thread.onSpinWait();
        }
    }

    @Test
    @Timeout(20)
    void alarmWakesTheRestartLoop() throws Exception {
        departure().raise(new StoreLostException("host:1", "lost", null));

        waker.sleep(Duration.ofDays(1).toNanos());
    }

    @Test
    void jobEndsWithTheProcessThatHostsItsStore() {
        Departure departure = departure();
        assertThat(departure.endsStore()).isTrue();
        moveTo(departure);
        assertThat(departure.endsStore()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Interruption.Kind.class)
    void storeWhoseHostIsBeingEndedCountsAsLost(Interruption.Kind kind) {
        StoreHost host = new StoreHost("10.0.0.1:29500", 1, false);
        Departure departure = departure();
        departure.moveTo(store.terminations(), host);

        departure.hostEnds(host, new Interruption(1, kind, null, "why"));

        Throwable alarm = departure.alarm();
        if (kind != Interruption.Kind.HARD_TIMEOUT) { // its process lives on for as long as the others need its store
            assertThat(alarm).isNull();
            return;
        }
        assertThat(alarm).isInstanceOf(StoreLostException.class);
        assertThat(departure.explain(requireNonNull(alarm)))
                .hasMessage("store at 10.0.0.1:29500 was lost with rank 1, which hosted it and has left the job:"
                        + " HARD_TIMEOUT on rank 1 (why)");
    }

    @Test
    void newsFromAnEarlierStoreIsNoAlarm() {
        StoreHost before = new StoreHost("10.0.0.1:29500", 1, false);
        Departure departure = departure();
        departure.moveTo(store.terminations(), before);
        moveTo(departure);

        departure.hostEnds(before, new Interruption(1, Interruption.Kind.HARD_TIMEOUT, null, "late news"));
        departure.raise(before, LeavingOnPurpose.toWait("the job lives on another store"));
        TerminatedRanks.of(1, departure, before, waker).accept(new Change.Joined("0/terminated", IndexSet.of(1)));

        assertThat(departure.alarm()).isNull();
    }

    @Test
    void hostDoesNotLoseItsOwnStore() {
        StoreHost here = new StoreHost("10.0.0.1:29500", 0, true);
        Departure departure = departure();
        departure.moveTo(store.terminations(), here);

        departure.hostEnds(here, new Interruption(0, Interruption.Kind.HARD_TIMEOUT, null, "it hangs"));

        assertThat(departure.alarm()).isNull();
    }

    @Test
    void tooFewWhoAgreeCountAsTheLossOfTheStore() {
        Departure departure = departure();
        assertThat(departure.heedFailureOf(new CompletableFuture<>(), null)).isFalse();

        BarrierTimeoutException tooFew =
                new BarrierTimeoutException("5/entered", IndexSet.of(0), IndexSet.range(0, 4), Duration.ofMinutes(2));

        assertThat(departure.heedFailureOf(CompletableFuture.failedFuture(tooFew), null))
                .isTrue();
        assertThat(departure.reason()).isInstanceOf(StoreLostException.class).hasCause(tooFew);
        assertThat(departure.isKnown()).isTrue();
    }

    @Test
    void requestToLeaveBeforeTheFirstIterationIsHeededAndAnnounced() {
        Departure departure = departure();
        assertThat(departure.heedRequest(null)).isFalse();
        request.make("drained");

        assertThat(departure.heedRequest(null)).isTrue();
        assertThat(departure.reason())
                .hasMessageContaining("drained")
                .hasMessageContaining("before its first iteration");
        assertThat(departure.comesAgain()).isFalse();
        assertThat(departure.isAnnounced()).isTrue();
    }

    /** A rank that has no store, or was put out, has no say in what it decides. */
    @Test
    void rankThatLeavesAStoreThatLivesCedesItsVote() {
        assertThat(isVoteCeded(new IllegalStateException("loss is NaN"))).isTrue();
        assertThat(isVoteCeded(new RankDiscardedException(0, 1, "not needed"))).isTrue();
        assertThat(isVoteCeded(new StoreLostException("host:1", "lost", null))).isFalse();
        assertThat(isVoteCeded(new RankFencedException(0, "silent"))).isFalse();
    }

    @Test
    void storeThatAVoterHasGivenUpIsNotTold() {
        StoreLostException loss = new StoreLostException("host:1", "lost", null);
        Departure voting =
                departure(new Voter(new RecordedSuccession(), false, waker, store.member(), 0), NOPLogger.NOP_LOGGER);
        voting.decide(loss, null);
        Departure other = departure();
        other.decide(loss, null);

        assertThat(voting.isKnown()).as("it may live, and not know").isFalse();
        assertThat(other.isKnown()).isTrue();
    }

    @Test
    void firstReasonCounts() {
        Departure departure = departure();
        departure.decide(new IllegalStateException("loss is NaN"), null);

        departure.decide(new IllegalStateException("again"), null);

        assertThat(departure.reason()).hasMessage("loss is NaN");
    }

    @Test
    void onlyARequestIsLoggedBeforeTheFirstIteration() {
        try (CapturedLog log = new CapturedLog(DepartureTest.class)) {
            Voter voter = new Voter(null, false, waker, store.member(), 0);
            Logger logger = LoggerFactory.getLogger(DepartureTest.class);

            departure(voter, logger).decide(new IllegalStateException("thrown to the caller"), null);
            assertThat(log.messages()).isEmpty();
            request.make("drained");
            departure(voter, logger).heedRequest(null);

            assertThat(log.messages()).singleElement().asString().contains("leaves the job", "drained");
        }
    }

    @Test
    void farewellThatTheStoreHasNotAnsweredIsNotAnnounced() {
        SessionStore silent = new ForwardingStore(InMemoryStore.create()) {
            @Override
            public CompletableFuture<List<@Nullable Object>> submit(
                    List<? extends Operation<?>> operations, Duration timeout) {
                return new CompletableFuture<>();
            }
        };
        Departure departure = departure();
        assertThat(departure.isKnown()).isTrue();
        departure.moveTo(new RestartStore(silent, 0, 1).terminations(), new StoreHost("10.0.0.1:29500", 0, false));

        departure.decide(new IllegalStateException("loss is NaN"), null);

        assertThat(departure.isAnnounced()).isFalse();
        assertThat(departure.isKnown()).isFalse();
    }

    @Test
    void lossOfTheStoreIsForgotten() {
        Departure departure = departure();
        departure.raise(new StoreLostException("host:1", "lost", null));
        moveTo(departure);
        assertThat(departure.alarm()).isNull();
    }

    @Test
    void interruptOfTheCallerAtThatMomentIsNot() throws Exception {
        InterruptedException interrupt = new InterruptedException("by the caller");
        List<Departure> departures =
                Stream.generate(this::departure).limit(ROUNDS).toList();
        departures.forEach(each -> each.raise(new StoreLostException("host:1", "lost", null)));
        AtomicInteger arrived = new AtomicInteger();
        Thread caller = new Thread(() -> departures.forEach(each -> {
            meet(arrived);
            each.raise(interrupt);
        }));
        caller.start();
        for (Departure departure : departures) {
            meet(arrived);
            moveTo(departure);
        }
        caller.join();

        assertThat(departures).allSatisfy(each -> assertThat(each.alarm()).isSameAs(interrupt));
    }
}

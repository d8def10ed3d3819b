package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.store.BarrierTimeoutException;
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

/** Why a rank leaves, and what becomes of an alarm when the store that was lost is forgotten. */
class DepartureTest {
    private static final int ROUNDS = 20_000;

    private final Waker waker = new Waker();
    private final LeaveRequest request = new LeaveRequest(waker);
    private final RestartStore store = new RestartStore(InMemoryStore.create(), 0, 1);

    private Departure departure() {
        return new Departure(
                store.terminations(),
                waker,
                Clock.SYSTEM,
                Announcements.ofWarmUp(new LogPrefix(0, 1), new RestartListener() {}),
                0,
                new StoreHost(true),
                new Voter(null, false, waker, store.member(), 0),
                request);
    }

    private void moveTo(Departure departure) {
        departure.moveTo(store.terminations(), new StoreHost(false));
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
        departure.moveTo(new RestartStore(silent, 0, 1).terminations(), new StoreHost(false));

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

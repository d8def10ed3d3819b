package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.InMemoryStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What becomes of an alarm when the store that was lost is forgotten. */
class DepartureTest {
    private static final int ROUNDS = 20_000;

    private final Waker waker = new Waker();
    private final RestartStore store = new RestartStore(InMemoryStore.create(), 0, 1);

    private Departure departure() {
        return new Departure(
                store.terminations(),
                waker,
                Clock.SYSTEM,
                Announcements.ofWarmUp(new LogPrefix(0, 1), new RestartListener() {}),
                0,
                new StoreHost(true),
                new Voter(null, waker, store.member(), 0),
                new LeaveRequest(waker));
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

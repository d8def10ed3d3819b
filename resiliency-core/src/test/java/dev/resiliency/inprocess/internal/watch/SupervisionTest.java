package dev.resiliency.inprocess.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.watch.Supervision.Watched;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said of one thread is not said of the next. */
@Timeout(60)
class SupervisionTest {
    private static final long LONG = Long.MAX_VALUE;

    private final Waker waker = new Waker();
    private final Supervision supervision = new Supervision(waker);
    private final Thread worker = new Thread(() -> {});
    private final Thread next = new Thread(() -> {});

    @Test
    void threadIsWatchedUntilItsWatchEnds() {
        assertThat(supervision.watched()).isNull();

        supervision.begin(worker, null);
        assertThat(supervision.watched()).isEqualTo(new Watched(worker, null));

        supervision.end();
        assertThat(supervision.watched()).isNull();
    }

    @Test
    void hangWakesTheLoopAndIsThatOfItsThread() throws Exception {
        assertThat(supervision.hangOf(worker)).isNull();

        Statement hang = new Statement(Standing.of(Activity.SLEEP), "made no progress");
        supervision.reportHang(worker, hang);

        waker.sleep(LONG);
        assertThat(supervision.hangOf(worker)).isEqualTo(hang);
        assertThat(supervision.hangOf(next)).isNull();
    }

    @Test
    void stallWakesTheLoopAndIsTakenOnceByItsThread() throws Exception {
        supervision.reportStall(worker);

        waker.sleep(LONG);
        assertThat(supervision.takeStall(worker)).isTrue();
        assertThat(supervision.takeStall(worker)).isFalse();

        supervision.reportStall(worker);
        assertThat(supervision.takeStall(next)).isFalse();
    }

    @Test
    void lackOfMemoryIsThatOfItsThread() {
        assertThat(supervision.outOfMemoryOf(worker)).isNull();

        supervision.reportOutOfMemory(worker, "threw 1 OutOfMemoryError");

        assertThat(supervision.outOfMemoryOf(worker)).isEqualTo("threw 1 OutOfMemoryError");
        assertThat(supervision.outOfMemoryOf(next)).isNull();
    }

    @Test
    void excuseIsThatOfItsThread() {
        assertThat(supervision.excusedUntil(worker)).isEmpty();

        supervision.excuse(worker, 7);

        assertThat(supervision.excusedUntil(worker)).hasValue(7);
        assertThat(supervision.excusedUntil(next)).isEmpty();
    }

    private Silence silenceAt(Thread thread, String... frames) {
        Standing standing = new Standing(Activity.LOCK, true, List.of(frames));
        return new Silence(thread, "made no progress", 0, new WhereItStands(standing, ", step 200"));
    }

    private @Nullable String waited() {
        Statement waited = supervision.whereItWaited(worker, 4_000_000_000L);
        return waited == null ? null : waited.text();
    }

    /** It wakes with an exception: the watchdog may look before the loop does. */
    @Test
    void threadThatHasLostAConnectionWaitedWhereItStoodBefore() {
        assertThat(waited()).isNull();
        supervision.reportSilence(silenceAt(worker, "Ring.allReduce"));
        String expected = "made no progress for 4.0 s, waits in a socket, step 200, at [Ring.allReduce]";
        assertThat(waited()).isEqualTo(expected);

        supervision.reportSilence(silenceAt(worker, "java.lang.Thread.yield"));
        assertThat(waited()).as("at its end").isEqualTo(expected);

        supervision.reportSilence(silenceAt(worker, "Ring.allReduce"));
        supervision.reportSilence(null);
        assertThat(waited()).as("as it fails").isEqualTo(expected);

        supervision.reportSilence(null);
        assertThat(waited()).as("it has made progress").isNull();
        supervision.reportSilence(silenceAt(next, "Ring.allReduce"));
        assertThat(waited()).as("another one").isNull();
    }
}

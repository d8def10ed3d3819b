package dev.resiliency.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServedTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Served served = new Served();
    private final Chunks chunks = new Chunks(List.of(ArrayRegion.floats("weights", 3)));

    private static Copied at(long step) {
        return new Copied(new Part("replicated", List.of(12L)), new Version(0, 0, step));
    }

    @Test
    void whatIsServedIsInUseFromThenOn() throws Exception {
        served.put(at(1), chunks);

        assertThat(served.acquire(at(1), Duration.ZERO)).isSameAs(chunks);
        assertThat(chunks.isInUse()).isTrue();
    }

    @Test
    void whatIsServedNoLongerIsNotFound() throws Exception {
        served.put(at(1), chunks);
        served.put(at(2), chunks);
        served.removeIf(name -> name.equals(at(1)));

        assertThat(served.acquire(at(1), Duration.ofMillis(1))).isNull();
        assertThat(served.acquire(at(2), Duration.ZERO)).isSameAs(chunks);
    }

    @Test
    void whoeverComesTooLateDoesNotWait() throws Exception {
        FutureTask<@Nullable Chunks> waiting = waitsFor(at(1));
        served.put(at(2), chunks);
        served.removeIf(name -> name.equals(at(2)));

        assertThat(waiting.get(LONG.toSeconds() / 2, TimeUnit.SECONDS)).isNull();
        assertThat(served.acquire(at(2), LONG)).isNull();
    }

    private FutureTask<@Nullable Chunks> waitsFor(Copied name) {
        FutureTask<@Nullable Chunks> early = new FutureTask<>(() -> served.acquire(name, LONG));
        Thread waiting = new Thread(early, "early");
        waiting.start();
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return early;
    }

    @Test
    void whoeverComesBeforeItIsServedWaitsForIt() throws Exception {
        FutureTask<@Nullable Chunks> early = waitsFor(at(2));

        served.put(at(1), chunks);
        served.put(at(2), chunks);

        assertThat(early.get(LONG.toSeconds() / 2, TimeUnit.SECONDS)).isSameAs(chunks);
    }
}

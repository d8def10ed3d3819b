package dev.resiliency.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // nanoTime may overflow

    @Test
    void bytesPassAtTheLimitWithoutABurstAfterAPause() {
        Pace pace = new Pace(1_000_000, now::get);

        assertThat(pace.reserve(250_000)).isZero();
        assertThat(pace.reserve(250_000)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(250));
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(400));
        assertThat(pace.reserve(1)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
        now.addAndGet(TimeUnit.HOURS.toNanos(1));
        assertThat(pace.reserve(250_000)).isZero();
        assertThat(pace.reserve(1)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(250));
    }

    @Test
    void withoutALimitNobodyWaits() {
        Pace pace = Pace.unlimited();
        for (int i = 0; i < 1000; i++) {
            assertThat(pace.reserve(Integer.MAX_VALUE)).isLessThan(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}

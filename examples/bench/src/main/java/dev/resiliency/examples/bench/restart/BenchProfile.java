package dev.resiliency.examples.bench.restart;

import dev.resiliency.inprocess.Wrapper;
import java.time.Duration;
import java.util.Locale;

/** Settings of the job. */
enum BenchProfile {
    /** All defaults. */
    DEFAULT(Duration.ofSeconds(60), Duration.ofSeconds(90)) {
        @Override
        Wrapper.Builder settings() {
            return Wrapper.builder();
        }
    },
    /** Does not wait for further faults, and detects hangs within a second or two. */
    TIGHT(Duration.ofSeconds(1), Duration.ofSeconds(2)) {
        @Override
        Wrapper.Builder settings() {
            Duration often = Duration.ofMillis(50);
            return Wrapper.builder()
                    .lastCallWait(Duration.ZERO)
                    .terminationGraceTime(Duration.ZERO)
                    .softTimeout(softTimeout())
                    .hardTimeout(hardTimeout())
                    .progressWatchdogInterval(often)
                    .monitorProcessInterval(often);
        }
    };

    private final Duration softTimeout;
    private final Duration hardTimeout;

    BenchProfile(Duration softTimeout, Duration hardTimeout) {
        this.softTimeout = softTimeout;
        this.hardTimeout = hardTimeout;
    }

    abstract Wrapper.Builder settings();

    Duration softTimeout() {
        return softTimeout;
    }

    Duration hardTimeout() {
        return hardTimeout;
    }

    /** Returns the minimum time until the job can detect a fault. */
    Duration silence(BenchFault fault) {
        return switch (fault.detection()) {
            case AT_ONCE -> Duration.ZERO;
            case SOFT_TIMEOUT -> softTimeout;
            case HARD_TIMEOUT -> hardTimeout;
        };
    }

    /** Returns the name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

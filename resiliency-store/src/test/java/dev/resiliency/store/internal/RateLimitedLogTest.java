package dev.resiliency.store.internal;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.contains;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitedLogTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final BackgroundLog log = mock();
    private long now = Long.MAX_VALUE - 5; // a value that a nanosecond clock may have
    private final RateLimitedLog warnings = new RateLimitedLog(log, () -> now);

    @Test
    void floodIsLimitedToTenLinesAMinute() {
        for (int i = 0; i < 1000; i++) {
            warnings.warn("Closed {}", i);
        }

        verify(log, times(10)).warn(eq("Closed {}"), any(Object[].class));
        verify(log).warn("Further messages like this are suppressed for a minute: {}", "Closed …");
        verifyNoMoreInteractions(log);
    }

    @Test
    void afterAMinuteTheNextLineSaysHowManyWereSuppressed() {
        for (int i = 0; i < 13; i++) {
            warnings.warn("Closed {}", i);
        }
        clearInvocations(log);
        now += MINUTE;

        warnings.warn("Closed {}", 13);
        warnings.warn("Closed {}", 14);

        verify(log, times(2)).warn(eq("Closed {}"), any(Object[].class));
        verify(log).warn("Suppressed {} messages like this: {}", 3L, "Closed …");
    }

    @Test
    void anotherKindIsLogged() {
        for (int i = 0; i < 1000; i++) {
            warnings.warn("Closed {}", i);
        }
        warnings.warn("Refused {}", 1);

        verify(log).warn(contains("Refused"), any(Object[].class));
    }
}

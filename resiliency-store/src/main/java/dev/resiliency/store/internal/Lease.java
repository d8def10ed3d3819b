package dev.resiliency.store.internal;

import java.time.Duration;

/**
 * How long a session lives without a renewal. Renewals come from every session at every heartbeat, so one takes nothing
 * but a look at the clock, and the alarm finds out when it rings whether there was one.
 */
final class Lease {
    private static final int LAST_PART = 10; // the tenth

    private final Timer timer;
    private final Duration duration;
    private final Duration lastPart;
    private final Runnable expire;
    private long renewed; // by the timer's clock
    private Timer.Alarm alarm;

    Lease(Timer timer, Duration duration, Runnable expire) {
        this.timer = timer;
        this.duration = duration;
        this.lastPart = duration.dividedBy(LAST_PART);
        this.expire = expire;
        this.renewed = timer.nanoTime();
        this.alarm = timer.schedule(duration.minus(lastPart), this::look);
    }

    void renew() {
        renewed = timer.nanoTime();
    }

    void cancel() {
        alarm.cancel();
    }

    /**
     * Lets the last part pass if the rest has. If it was the store itself that stood still, and with it its clock, that
     * is the time to read the renewals that have come meanwhile.
     */
    private void look() {
        Duration left = duration.minus(lastPart).minusNanos(timer.nanoTime() - renewed);
        if (left.isNegative() || left.isZero()) {
            long known = renewed;
            alarm = timer.schedule(lastPart, () -> expireUnlessRenewedSince(known));
        } else {
            alarm = timer.schedule(left, this::look);
        }
    }

    private void expireUnlessRenewedSince(long known) {
        if (renewed == known) {
            expire.run();
        } else {
            look();
        }
    }
}

package dev.resiliency.store.internal;

import java.time.Duration;

/**
 * Ends a session that is not renewed in time. Every session renews at every heartbeat, so a renewal merely reads the
 * clock; when the alarm fires, it finds out whether there was one.
 */
final class Lease {
    private static final int LAST_PART = 10; // a tenth

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
     * Waits for the last tenth once the rest has passed. If it was the store itself that stood still, and its clock
     * with it, this is the time in which to read the renewals that have arrived meanwhile.
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

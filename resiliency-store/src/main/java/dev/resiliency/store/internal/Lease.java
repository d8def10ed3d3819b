package dev.resiliency.store.internal;

import java.time.Duration;

/**
 * Ends a session of which nothing is heard in time. Every frame of a session renews its lease, so a renewal merely reads
 * the clock; when the alarm fires, it finds out whether there was one.
 */
final class Lease {
    private static final int LAST_PART = 3; // a third: renewals come far more often
    private static final int LATE_PART =
            4; // an alarm that is late by a quarter of that tells that the store stood still

    private final Timer timer;
    private final Duration duration;
    private final Duration lastPart;
    private final Runnable probe;
    private final Runnable expire;
    private long renewed; // by the timer's clock
    private Timer.Alarm alarm;

    /** Starts to run; calls {@code probe} when the last third begins. */
    Lease(Timer timer, Duration duration, Runnable probe, Runnable expire) {
        this.timer = timer;
        this.duration = duration;
        this.lastPart = duration.dividedBy(LAST_PART);
        this.probe = probe;
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
     * Probes the session once two thirds have passed, and waits for the last third. If it was the store itself that
     * stood still, and its clock with it, this is also the time in which to read the frames that have arrived meanwhile.
     */
    private void look() {
        Duration left = duration.minus(lastPart).minusNanos(timer.nanoTime() - renewed);
        if (left.isNegative() || left.isZero()) {
            awaitLastPart();
        } else {
            alarm = timer.schedule(left, this::look);
        }
    }

    private void awaitLastPart() {
        long known = renewed;
        long due = timer.nanoTime() + lastPart.toNanos();
        probe.run();
        alarm = timer.schedule(lastPart, () -> expireUnlessRenewedSince(known, due));
    }

    private void expireUnlessRenewedSince(long known, long due) {
        long late = timer.nanoTime() - due;
        if (renewed != known) {
            look();
        } else if (late > lastPart.toNanos() / LATE_PART) {
            awaitLastPart(); // this store was stalled itself: an answer may have arrived that it has not read
        } else {
            expire.run();
        }
    }
}

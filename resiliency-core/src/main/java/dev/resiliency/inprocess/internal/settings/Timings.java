package dev.resiliency.inprocess.internal.settings;

import java.time.Duration;

/** The intervals and limits of a wrapper: {@link dev.resiliency.inprocess.Wrapper.Builder} describes each. */
public record Timings(
        Duration monitorThreadInterval,
        Duration monitorProcessInterval,
        Duration heartbeatInterval,
        Duration progressWatchdogInterval,
        Duration softTimeout,
        Duration hardTimeout,
        Duration firstStepTimeout,
        Duration heartbeatTimeout,
        Duration barrierTimeout,
        Duration completionTimeout,
        Duration lastCallWait,
        Duration terminationGraceTime,
        Duration asyncStopDelay) {
    /** Its nanoseconds are a third of the range of a long. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** Checks each value, and the relations between them. */
    public Timings {
        requirePositive("monitorThreadInterval", monitorThreadInterval);
        requirePositive("monitorProcessInterval", monitorProcessInterval);
        requirePositive("heartbeatInterval", heartbeatInterval);
        requirePositive("progressWatchdogInterval", progressWatchdogInterval);
        requirePositive("softTimeout", softTimeout);
        requirePositive("hardTimeout", hardTimeout);
        requirePositive("firstStepTimeout", firstStepTimeout);
        requirePositive("heartbeatTimeout", heartbeatTimeout);
        requirePositive("barrierTimeout", barrierTimeout);
        requirePositive("completionTimeout", completionTimeout);
        requireNotNegative("lastCallWait", lastCallWait);
        requireNotNegative("terminationGraceTime", terminationGraceTime);
        requireNotNegative("asyncStopDelay", asyncStopDelay);
        requireLess("progressWatchdogInterval", progressWatchdogInterval, "softTimeout", softTimeout);
        requireLess("softTimeout", softTimeout, "hardTimeout", hardTimeout);
        requireLess("monitorProcessInterval", monitorProcessInterval, "hardTimeout", hardTimeout);
        if (hardTimeout.compareTo(LONGEST) < 0) { // otherwise no hang has to end before the others give up
            requireLess("hardTimeout", hardTimeout, "barrierTimeout", barrierTimeout);
        }
        requireLess("heartbeatInterval", heartbeatInterval, "heartbeatTimeout", heartbeatTimeout);
        // The monitor process sends a heartbeat that is due at its next reading.
        requireLess(
                "heartbeatInterval plus monitorProcessInterval",
                heartbeatInterval.plus(monitorProcessInterval),
                "heartbeatTimeout",
                heartbeatTimeout);
    }

    /** Returns the same timings, with soft and hard timeouts that never expire. */
    public Timings withoutHangLimits() {
        return new Timings(
                monitorThreadInterval,
                monitorProcessInterval,
                heartbeatInterval,
                progressWatchdogInterval,
                LONGEST.minusDays(1),
                LONGEST,
                firstStepTimeout,
                heartbeatTimeout,
                barrierTimeout,
                completionTimeout,
                lastCallWait,
                terminationGraceTime,
                asyncStopDelay);
    }

    /**
     * Returns the lease of the rank's session. The last heartbeat before the network fails may be one interval old by
     * then, so that the lease must be that much longer to survive every outage shorter than the timeout.
     */
    public Duration lease() {
        return heartbeatTimeout.plus(heartbeatInterval);
    }

    /**
     * Returns the soft timeout that the monitor process applies: later than that of the rank's watchdog, which knows
     * where the function stands and must be first, even if its check is late.
     */
    public Duration softTimeoutFromOutside() {
        Duration allowance = progressWatchdogInterval.plusSeconds(1);
        Duration half = hardTimeout.minus(softTimeout).dividedBy(2);
        return softTimeout.plus(allowance.compareTo(half) < 0 ? allowance : half);
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " is " + seconds(value) + ": it must be positive");
        }
        requireNotTooLong(name, value);
    }

    private static void requireNotNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + " is " + seconds(value) + ": it must not be negative");
        }
        requireNotTooLong(name, value);
    }

    private static void requireNotTooLong(String name, Duration value) {
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " must be at most " + LONGEST.toDays() + " days");
        }
    }

    private static void requireLess(String name, Duration value, String limitName, Duration limit) {
        if (value.compareTo(limit) >= 0) {
            throw new IllegalArgumentException(name + " is " + seconds(value) + ", but it must be less than "
                    + limitName + ", which is " + seconds(limit));
        }
    }

    private static String seconds(Duration duration) {
        return duration.toNanos() / 1e9 + " s";
    }
}

package dev.resiliency.launcher;

import dev.resiliency.launcher.config.Durations;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When a rank counts as hung, by what it stamps with a {@link dev.resiliency.monitor.RankMonitorClient}. The names are those of
 * nvidia-resiliency-ext.
 *
 * @param initialRankHeartbeatTimeout how long a process may take until its first heartbeat or section, or until its wrapper has joined a job; null for any time
 * @param rankHeartbeatTimeout how long until the next heartbeat; null for any time, or the calculated one
 * @param rankSectionTimeouts how long each section may be open, by its name; others for any time, or the calculated one
 * @param rankOutOfSectionTimeout how long no section may be open, after the first; null for any time
 * @param calculateTimeouts whether limits that are not given follow from the times of the ranks
 * @param safetyFactor how many times the slowest time that was seen a calculated limit is
 * @param warmupIterations how many of the first times of each section, and between heartbeats, are kept apart in each process
 * @param rankTerminationSignal which signal ends a hung rank, without {@code SIG}
 * @param maxNoProgressCycles after how many restarts in a row without a higher step the job ends; 0 for no limit
 * @since 0.1.0
 */
public record MonitorSettings(
        @Nullable Duration initialRankHeartbeatTimeout,
        @Nullable Duration rankHeartbeatTimeout,
        Map<String, Duration> rankSectionTimeouts,
        @Nullable Duration rankOutOfSectionTimeout,
        boolean calculateTimeouts,
        double safetyFactor,
        int warmupIterations,
        String rankTerminationSignal,
        int maxNoProgressCycles) {
    /** No limits, and the progress guard. */
    public static final MonitorSettings DEFAULT =
            new MonitorSettings(null, null, Map.of(), null, false, 5, 3, "KILL", 3);

    /**
     * Checks the values, and copies the map.
     *
     * @throws IllegalArgumentException if one is invalid; names it
     */
    public MonitorSettings {
        checked("initial-rank-heartbeat-timeout", initialRankHeartbeatTimeout);
        checked("rank-heartbeat-timeout", rankHeartbeatTimeout);
        checked("rank-out-of-section-timeout", rankOutOfSectionTimeout);
        rankSectionTimeouts.forEach((name, limit) -> checked("the rank-section-timeout of '" + name + "'", limit));
        rankSectionTimeouts = Map.copyOf(rankSectionTimeouts);
        if (!(safetyFactor >= 1) || Double.isInfinite(safetyFactor)) {
            throw new IllegalArgumentException("safety-factor is %s: it must be at least 1".formatted(safetyFactor));
        }
        if (warmupIterations < 0) {
            throw new IllegalArgumentException(
                    "warmup-iterations is %d: it must be at least 0".formatted(warmupIterations));
        }
        if (maxNoProgressCycles < 0) {
            throw new IllegalArgumentException(
                    "max-no-progress-cycles is %d: it must be at least 0".formatted(maxNoProgressCycles));
        }
        if (!rankTerminationSignal.matches("[A-Z]+[0-9]?")) {
            throw new IllegalArgumentException(
                    "rank-termination-signal is '%s': write the name of a signal, such as SIGKILL or SIGTERM"
                            .formatted(rankTerminationSignal));
        }
    }

    private static void checked(String name, @Nullable Duration limit) {
        if (limit != null && Durations.checked(name, limit).isZero()) {
            throw new IllegalArgumentException(name + " is 0: it must be positive; leave it out for no limit");
        }
    }
}

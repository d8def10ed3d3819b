package dev.resiliency.inprocess;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * One restart, as this rank saw it.
 *
 * @param interrupted the iteration that ended; the next one is one more
 * @param interruptions why, in the order in which it was recorded; one entry for each rank and kind. If very many ranks fail
 *     at once, the first of them: 64 KiB of messages, or less in jobs of more than 2,048 ranks
 * @param phases how long each phase took on this rank, in their order
 * @param stoppedBy what ended the function on this rank
 * @param knownAt the moment at which this rank knew of the interruption, by {@link System#nanoTime}: the same clock in all
 *     processes of a host
 * @param total from the moment at which this rank knew of the interruption to the start of its next iteration; on the
 *     rank that failed, that is when the store had answered its report
 * @param state who this rank is in the next iteration
 * @since 0.1.0
 */
public record RestartReport(
        int interrupted,
        List<Interruption> interruptions,
        Map<Phase, Duration> phases,
        StoppedBy stoppedBy,
        long knownAt,
        Duration total,
        State state) {

    /** The phases of a restart, in their order. */
    public enum Phase {
        /** Waiting for other faults to be recorded. */
        LAST_CALL,
        /** Waiting for a running atomic section, then abort hooks and registered abortables. */
        ABORT,
        /** Stopping the thread of the function. */
        STOP,
        /** Finalize hooks. */
        FINALIZE,
        /** The health check after them. */
        HEALTH_CHECK,
        /** Waiting for all other ranks to get as far and, but on the rank that assigns, for the new assignment. */
        BARRIER,
        /** On the one rank that does it for all: assigning the ranks of the next iteration, and publishing that. */
        ASSIGN
    }

    /** What ended the function, in the order in which it is tried; how long it took is in {@link #phases}. */
    public enum StoppedBy {
        /** It had returned or thrown before it could be stopped. */
        ITSELF,
        /** An abort hook or a registered abortable unblocked it. */
        ABORT,
        /** A method of its {@link CallWrapper} threw a {@link RestartSignal}. */
        SIGNAL,
        /** The interrupt of its thread. */
        INTERRUPT,
        /** A {@link RestartSignal} thrown into its thread from outside, after {@code asyncStopDelay}. */
        ASYNC_STOP
    }

    /**
     * For logs, in a line whose length does not depend on the size of the job: {@code restarted in 14.2 ms after EXCEPTION
     * on rank 2 (no route): last call 10.1, abort 0.3, stop 0.4, finalize 0.0, health check 0.0, barrier 3.4 ms; stopped
     * by signal}.
     */
    @Override
    public String toString() {
        StringJoiner times = new StringJoiner(", ", "", " ms");
        phases.forEach((phase, duration) ->
                times.add(phase.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + millis(duration)));
        return "restarted in " + millis(total) + " ms after " + InterruptionSummary.of(interruptions) + ": " + times
                + "; stopped by " + stoppedBy.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** With one decimal. Not by a {@code Formatter}, whose first use takes longer than some restarts. */
    private static String millis(Duration duration) {
        long tenths = Math.round(duration.toNanos() / 1e5);
        return tenths / 10 + "." + tenths % 10;
    }
}

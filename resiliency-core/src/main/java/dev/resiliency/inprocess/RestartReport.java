package dev.resiliency.inprocess;

import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * A restart, as seen by this rank.
 *
 * @param interrupted the iteration that ended; the next one has the next number
 * @param interruptions the causes in the order of their recording, one per rank and kind; last those of ranks that have only
 *     {@linkplain Interruption.Kind#isFollowing() followed}. If very many ranks fail at once, the first of them: 64 KiB of
 *     messages, or less in jobs of more than 2,048 ranks
 * @param phases the duration of each phase on this rank, in order
 * @param stoppedBy what ended the function on this rank
 * @param knownAt the time at which this rank learned of the interruption, by {@link System#nanoTime}: the same clock in
 *     all processes of a host
 * @param total the time from {@code knownAt} to the start of the next iteration. The rank that failed learns of the
 *     interruption when the store answers its report
 * @param state this rank's role in the next iteration
 * @param joined the initial ranks of the processes that joined the job with this restart
 * @since 0.1.0
 */
public record RestartReport(
        int interrupted,
        List<Interruption> interruptions,
        Map<Phase, Duration> phases,
        StoppedBy stoppedBy,
        long knownAt,
        Duration total,
        State state,
        IndexSet joined) {

    /** The phases of a restart, in their order. */
    public enum Phase {
        /** Waiting for other faults to be recorded. */
        LAST_CALL,
        /** Waiting for a running atomic section, then abort hooks and registered abortables. */
        ABORT,
        /** Stopping the thread of the function. */
        STOP,
        /** Running the finalize hook. */
        FINALIZE,
        /** Running the health check. */
        HEALTH_CHECK,
        /** Pausing, on a rank whose function has failed at once several times in a row. */
        BACK_OFF,
        /** Waiting for all other ranks to arrive and, except on the rank that computes it, for the new assignment. */
        BARRIER,
        /** Computing and publishing the new assignment, on the one rank that does it for all. */
        ASSIGN
    }

    /**
     * The means by which the function was ended, in the order in which they are tried; {@link #phases} has the
     * durations.
     */
    public enum StoppedBy {
        /** It returned or threw before it could be stopped. */
        ITSELF,
        /** It came to the {@linkplain CallWrapper#step safe point} at which all ranks were to stop. */
        SAFE_POINT,
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
     * Returns the report on one line, whose length does not depend on the size of the job: {@code restarted in 14.2 ms after
     * EXCEPTION on rank 2 (no route): last call 10.1, abort 0.3, stop 0.4, finalize 0.0, health check 0.0, barrier 3.4
     * ms; stopped by signal}. Followed by who joined, if anyone did: {@code ; rank 9 joined}.
     */
    @Override
    public String toString() {
        return headline() + ": " + times();
    }

    /**
     * Returns the report as it is logged: first how long and why, in at most 200 characters; then what that line lacks, which is
     * messages that are cut in it, and where ranks stood that hung; and last how long each phase took.
     */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(headline());
        lines.addAll(InterruptionSummary.details(interruptions));
        lines.add(times());
        return lines;
    }

    private String headline() {
        return "restarted in " + millis(total) + " ms after " + cause();
    }

    private String times() {
        StringJoiner times = new StringJoiner(", ", "", " ms");
        phases.forEach((phase, duration) ->
                times.add(phase.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + millis(duration)));
        return times + "; stopped by "
                + stoppedBy.name().toLowerCase(Locale.ROOT).replace('_', ' ') + joinedText();
    }

    /** Returns why, in a line whose length does not depend on the size of the job: {@code EXCEPTION on rank 2 (no route)}. */
    public String cause() {
        return InterruptionSummary.of(interruptions);
    }

    private String joinedText() {
        return switch (joined.size()) {
            case 0 -> "";
            case 1 -> "; rank " + joined.lowest() + " joined";
            default -> "; ranks " + InterruptionSummary.shortened(joined.toString()) + " joined";
        };
    }

    /** Formats with one decimal. Does not use a {@code Formatter}, whose first use takes longer than some restarts. */
    private static String millis(Duration duration) {
        long tenths = Math.round(duration.toNanos() / 1e5);
        return tenths / 10 + "." + tenths % 10;
    }
}

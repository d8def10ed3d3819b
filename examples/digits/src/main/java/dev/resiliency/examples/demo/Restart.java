package dev.resiliency.examples.demo;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A restart in process: of the whole job, or as one rank saw it.
 *
 * @param iteration the iteration that was interrupted
 * @param cause the kind of the injected fault; without one, what the ranks detected, such as {@code soft_timeout}, or
 *     {@code scale_up}, which is no fault
 * @param rank the initial rank that it happened to, or that joined
 * @param totalMs from the fault until the last rank had entered the function again, or for the first time; without an injected
 *     fault, and as one rank saw it, from when the rank learned of it
 * @param stateFrom where the ranks have the state from with which they train again: {@code memory} if all still held it,
 *     {@code peers} if some received it from others, or {@code checkpoint}; null if it did not come to that
 */
record Restart(
        int iteration,
        String cause,
        int rank,
        double totalMs,
        @Nullable String stateFrom) {
    private static final String FOR_JOIN = lowerCase(Interruption.Kind.SCALE_UP);

    /** Returns the restart as a rank saw it. */
    static Restart of(RestartReport report) {
        Interruption first = report.interruptions().get(0);
        boolean isForJoin =
                first.kind() == Interruption.Kind.SCALE_UP && !report.joined().isEmpty();
        return new Restart(
                report.interrupted(),
                lowerCase(first.kind()),
                isForJoin ? report.joined().lowest() : first.rank(),
                milliseconds(report.total().toNanos()),
                null);
    }

    static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Rounds to microseconds: what lies below is noise. */
    static double milliseconds(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos) / 1e3;
    }

    /** Returns the same restart, with where the state is from. */
    Restart withStateFrom(@Nullable String source) {
        return new Restart(iteration, cause, rank, totalMs, source);
    }

    /** Returns, for example, {@code 14.2 ms after the exception on rank 2}. */
    String summary() {
        return isForJoin()
                ? "in %.1f ms to take in rank %d".formatted(totalMs, rank)
                : "%.1f ms after the %s on rank %d".formatted(totalMs, noun(), rank);
    }

    private String noun() {
        return switch (cause) {
            case "terminated" -> "end";
            case "connection_lost" -> "lost connection";
            case "terminated_by_rank" -> "leave";
            case "monitor_process_lost" -> "loss of the monitor process";
            default -> cause.replace('_', ' ');
        };
    }

    /** Returns whether there was no fault: a rank has joined. */
    boolean isForJoin() {
        return cause.equals(FOR_JOIN);
    }
}

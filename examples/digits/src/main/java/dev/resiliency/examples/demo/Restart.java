package dev.resiliency.examples.demo;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.state.RecoveryReport;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One restart of the whole job, in process.
 *
 * @param iteration the iteration that was interrupted
 * @param cause the kind of the injected fault; without one, what the ranks detected, such as {@code soft_timeout}, or
 *     {@code scale_up}, which is no fault
 * @param rank the initial rank that it happened to, or that joined
 * @param totalMs from the fault until the last rank had entered the function again, or for the first time
 * @param phases milliseconds of each phase, on the rank where it took longest
 * @param stateFrom where the ranks have the state from with which they train again: {@code memory} if all still held it,
 *     {@code peers} if some received it from others, or {@code checkpoint}; null if it did not come to that
 */
record Restart(
        int iteration,
        String cause,
        int rank,
        double totalMs,
        Map<String, Double> phases,
        @Nullable String stateFrom) {
    private static final String SCALE_UP = Interruption.Kind.SCALE_UP.name().toLowerCase(Locale.ROOT);

    /** Creates a restart of which only the processes are known, and not the state. */
    Restart(int iteration, String cause, int rank, double totalMs, Map<String, Double> phases) {
        this(iteration, cause, rank, totalMs, phases, null);
    }

    /** Returns the same restart, with where the state is from. */
    Restart withStateFrom(RecoveryReport.@Nullable Source source) {
        String from = source == null ? null : source.name().toLowerCase(Locale.ROOT);
        return new Restart(iteration, cause, rank, totalMs, phases, from);
    }

    /** Returns, for example, {@code 14.2 ms after the exception of rank 2 (abort 0.9, stop 0.4, barrier 3.1)}. */
    String timing() {
        String parts = phases.entrySet().stream()
                .map(phase -> "%s %.1f".formatted(phase.getKey(), phase.getValue()))
                .collect(Collectors.joining(", "));
        return "%s (%s)".formatted(summary(), parts);
    }

    /** Returns the same without the phases. */
    String summary() {
        return isForJoin()
                ? "%.1f ms to take in rank %d".formatted(totalMs, rank)
                : "%.1f ms after the %s of rank %d".formatted(totalMs, noun(), rank);
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
        return cause.equals(SCALE_UP);
    }
}

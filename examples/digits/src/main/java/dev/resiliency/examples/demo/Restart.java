package dev.resiliency.examples.demo;

import dev.resiliency.inprocess.Interruption;
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

    /** Returns the same restart, with where the state is from. */
    Restart withStateFrom(@Nullable String source) {
        return new Restart(iteration, cause, rank, totalMs, phases, source);
    }

    /** Returns, for example, {@code 14.2 ms after the exception of rank 2}. */
    String summary() {
        return isForJoin()
                ? "%.1f ms to take in rank %d".formatted(totalMs, rank)
                : "%.1f ms after the %s of rank %d".formatted(totalMs, noun(), rank);
    }

    /** Returns the same with the phases: {@code (abort 0.9, stop 0.4, barrier 3.1)}. */
    String timing() {
        return phases.entrySet().stream()
                .map(phase -> "%s %.1f".formatted(phase.getKey(), phase.getValue()))
                .collect(Collectors.joining(", ", summary() + " (", ")"));
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
        return cause.equals(Interruption.Kind.SCALE_UP.name().toLowerCase(Locale.ROOT));
    }
}

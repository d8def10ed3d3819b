package dev.resiliency.examples.demo;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * One restart of the whole job.
 *
 * @param iteration the iteration that was interrupted
 * @param cause the kind of the injected fault; without one, what the ranks detected, such as {@code soft_timeout}
 * @param rank the initial rank that it happened to
 * @param totalMs from the fault until the last surviving rank had re-entered the function
 * @param phases milliseconds of each phase, on the rank where it took longest
 */
record Restart(int iteration, String cause, int rank, double totalMs, Map<String, Double> phases) {

    /** Returns, for example, {@code 14.2 ms after the exception of rank 2 (abort 0.9, stop 0.4, barrier 3.1)}. */
    String timing() {
        String parts = phases.entrySet().stream()
                .map(phase -> "%s %.1f".formatted(phase.getKey(), phase.getValue()))
                .collect(Collectors.joining(", "));
        return "%.1f ms after the %s of rank %d (%s)".formatted(totalMs, cause, rank, parts);
    }
}

package dev.resiliency.examples.demo;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * One restart of the whole job.
 *
 * @param iteration the iteration that was interrupted
 * @param cause the kind of the injected fault; otherwise what the ranks took it for, such as {@code soft_timeout}
 * @param rank the initial rank that it happened to
 * @param totalMs from the fault to the moment at which the last surviving rank was in the function again
 * @param phases milliseconds of each phase, on the rank on which it took longest
 */
record Restart(int iteration, String cause, int rank, double totalMs, Map<String, Double> phases) {

    /** {@code 14.2 ms after the exception on rank 2 (abort 0.9, stop 0.4, barrier 3.1)}. */
    String timing() {
        String parts = phases.entrySet().stream()
                .map(phase -> "%s %.1f".formatted(phase.getKey(), phase.getValue()))
                .collect(Collectors.joining(", "));
        return "%.1f ms after the %s of rank %d (%s)".formatted(totalMs, cause, rank, parts);
    }
}

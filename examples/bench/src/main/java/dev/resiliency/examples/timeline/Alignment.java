package dev.resiliency.examples.timeline;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Aligns ranks of different hosts on one axis. Their clocks cannot be compared, but all learn their new ranks at nearly
 * the same time, when the leader has decided: each host is shifted so that it does so together with the first one.
 */
final class Alignment {
    private final Map<Recorded.Clock, Long> shifts = new HashMap<>();
    private final List<String> notes;

    private Alignment(Map<Recorded.Clock, List<Recorded>> byClock) {
        List<Recorded> reference = byClock.values().iterator().next();
        byClock.forEach((clock, restarts) -> shifts.put(clock, middle(reference) - middle(restarts)));
        notes = byClock.size() == 1
                ? List.of()
                : List.of(
                        ("The ranks are on %d hosts (%s), whose clocks cannot be compared: each host is shifted so that its"
                                        + " middle rank learns the assignment at the same time as that of the first. Differences"
                                        + " between ranks of different hosts are estimates.")
                                .formatted(
                                        byClock.size(),
                                        byClock.keySet().stream()
                                                .map(Recorded.Clock::host)
                                                .collect(joining(", "))));
    }

    /** Aligns the restart events of all ranks, in order of rank, and the joins of those who were admitted with them. */
    static Alignment of(List<Recorded> restarts) {
        return new Alignment(
                restarts.stream().collect(groupingBy(Recorded::clock, LinkedHashMap::new, Collectors.toList())));
    }

    private static long middle(List<Recorded> restarts) {
        return restarts.stream()
                .map(Recorded::end)
                .sorted()
                .skip(restarts.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    /** Returns whether a rank restarted by this clock. */
    boolean knows(Recorded.Clock clock) {
        return shifts.containsKey(clock);
    }

    /** Returns the offset to add to times of this clock. */
    long shiftOf(Recorded.Clock clock) {
        return Objects.requireNonNull(shifts.get(clock));
    }

    /** Returns notes for the reader. */
    List<String> notes() {
        return notes;
    }
}

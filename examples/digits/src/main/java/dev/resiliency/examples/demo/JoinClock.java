package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Place;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Measures how long it takes until the place of a process that was lost is taken. */
final class JoinClock {
    private final Map<Integer, Loss> losses = new HashMap<>(); // by rank, until its place is taken

    /** @param number what the job called the process */
    private record Loss(int number, long nanos) {}

    /** Records the loss of a process. Of several of a rank before its place is taken, the first counts. */
    void lost(int rank, int number, long nanos) {
        losses.putIfAbsent(rank, new Loss(number, nanos));
    }

    /** Records that a process takes part in an iteration; returns its join if it has just come. */
    Optional<Join> entered(int rank, int iteration, Place place, long nanos) {
        Loss loss = losses.remove(rank);
        return loss == null || !place.joined()
                ? Optional.empty()
                : Optional.of(new Join(
                        iteration, place.number(), loss.number(), RestartClock.milliseconds(nanos - loss.nanos())));
    }
}

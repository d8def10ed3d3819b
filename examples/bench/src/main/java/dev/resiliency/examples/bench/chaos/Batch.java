package dev.resiliency.examples.bench.chaos;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Faults that happen together, and the outage of the network during which they do.
 *
 * @param faults in the order of their injection: those in a restart first; none if the outage is all that happens
 * @param outage shorter than the timeout; null for none
 */
record Batch(List<ChaosFault> faults, @Nullable Outage outage) {
    private static final Comparator<ChaosFault> ORDER = Comparator.comparing(
                    (ChaosFault fault) -> !fault.place().isInRestart())
            .thenComparing(ChaosFault::delay);

    Batch {
        faults = faults.stream().sorted(ORDER).toList();
    }

    /** Returns the processes that reach the store only after the outage. */
    Set<Integer> cutOff() {
        return outage == null ? Set.of() : Set.copyOf(outage.processes());
    }

    /** Returns how long it takes until the outage is over. */
    Duration outageTime() {
        return outage == null ? Duration.ZERO : outage.delay().plus(outage.silence());
    }

    /** Returns the row in the table of how long the batch interrupted the training. */
    String label() {
        return faults.size() == 1 ? faults.get(0).label() : Tally.SEVERAL;
    }

    /** Returns the text for people: the faults, and the outage after a plus. */
    @Override
    public String toString() {
        String hits = faults.stream().map(ChaosFault::toString).collect(Collectors.joining(", "));
        return Stream.of(hits, outage == null ? "" : outage.toString())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" + "));
    }
}

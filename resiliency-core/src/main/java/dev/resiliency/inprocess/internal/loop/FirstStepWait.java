package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.protocol.FirstSteps.Beginning;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Whether a rank that makes no progress waits for one that has made no step in the iteration yet: rule 16.
 *
 * @param isExcused whether it does not count as hung
 * @param missing the active members that have made no step
 * @param awaited those of them that the others seem to wait for: they make progress, have paused, or are new
 * @param hasPaused whether they have paused their hang protection
 */
record FirstStepWait(boolean isExcused, IndexSet missing, IndexSet awaited, boolean hasPaused) {
    /**
     * Judges what the members have said.
     *
     * @param joined those who have joined and made no step since, as far as is known
     * @param lasted the time since its beginning
     * @param limit how long the first steps may take
     */
    static FirstStepWait of(Beginning said, IndexSet joined, Duration lasted, Duration limit) {
        IndexSet missing = said.missing();
        IndexSet paused = missing.intersection(said.paused());
        boolean isExcused = !missing.isEmpty() && (lasted.compareTo(limit) < 0 || !paused.isEmpty());
        IndexSet atWork = missing.minus(said.stalled());
        IndexSet awaited = Stream.of(paused, atWork.intersection(joined), atWork, missing.intersection(joined))
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse(missing);
        return new FirstStepWait(isExcused, missing, awaited, !paused.isEmpty());
    }

    /** Returns whether it can be said for whom the others wait, as that is only some of them. */
    boolean isClear() {
        return !awaited.equals(missing) || missing.size() == 1;
    }
}

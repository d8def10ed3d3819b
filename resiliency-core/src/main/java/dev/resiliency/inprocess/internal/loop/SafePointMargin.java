package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import java.util.List;

/**
 * How many steps ahead a safe point is published, so that no rank has passed it when it learns of it. Grows in the life
 * of a rank, as safe points are missed. Confined to the monitor thread.
 */
final class SafePointMargin {
    /** The ranks of a job do the same steps, but some are ahead of others: one step, if each step has a collective. */
    private static final long LEAST = 2;

    private static final int MOST_DOUBLINGS = 16;

    private int doublings;

    /** Returns the margin for a function of this pace. */
    long of(StepPace pace) {
        return Math.max(LEAST, pace.stepsPerWindow()) << doublings;
    }

    /** Doubles the margin if the records of an iteration say that its safe point was missed. */
    void learn(List<Interruption> interruptions) {
        boolean isMissed = interruptions.stream()
                .anyMatch(interruption -> interruption.kind() == Interruption.Kind.SAFE_POINT_MISSED);
        if (isMissed && doublings < MOST_DOUBLINGS) {
            doublings++;
        }
    }
}

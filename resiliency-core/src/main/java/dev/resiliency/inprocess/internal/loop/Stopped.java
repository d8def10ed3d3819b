package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport.StoppedBy;
import java.util.List;
import java.util.stream.Stream;

/**
 * A restart whose worker has ended.
 *
 * @param iteration the interrupted iteration
 * @param stoppedBy the means by which the worker was ended
 * @param before why it was interrupted, if it is known from a store that was lost before its world was agreed
 */
record Stopped<R>(Iteration<R> iteration, RestartTimer timer, StoppedBy stoppedBy, List<Interruption> before) {

    /** Returns the same restart, whose store was lost after it had named these interruptions. */
    Stopped<R> interruptedBy(List<Interruption> named) {
        return new Stopped<>(iteration, timer, stoppedBy, all(named));
    }

    /** Returns all interruptions of this restart, the first ones first. */
    List<Interruption> all(List<Interruption> latest) {
        return before.isEmpty()
                ? latest
                : Stream.concat(before.stream(), latest.stream()).distinct().toList();
    }
}

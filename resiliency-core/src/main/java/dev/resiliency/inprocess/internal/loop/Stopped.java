package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.RestartReport.StoppedBy;

/**
 * A restart whose worker has ended.
 *
 * @param iteration the interrupted iteration
 * @param stoppedBy the means by which the worker was ended
 */
record Stopped<R>(Iteration<R> iteration, RestartTimer timer, StoppedBy stoppedBy) {}

package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.RestartReport.StoppedBy;

/**
 * A restart in which the worker has ended.
 *
 * @param iteration the one that was interrupted
 * @param stoppedBy what ended the worker
 */
record Stopped<R>(Iteration<R> iteration, RestartTimer timer, StoppedBy stoppedBy) {}

/**
 * What a training program tells the agent that watches it, with or without a {@link dev.resiliency.inprocess.Wrapper}: heartbeats,
 * sections, steps and requests. See {@link dev.resiliency.monitor.RankMonitorClient}.
 */
@NullMarked
package dev.resiliency.monitor;

import org.jspecify.annotations.NullMarked;

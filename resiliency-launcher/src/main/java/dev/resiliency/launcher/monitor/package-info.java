/**
 * Judges whether the ranks of a node make progress, by the stamps of {@link dev.resiliency.monitor.RankMonitorClient}: {@code
 * Deadlines} says what is due when, and {@code RankWatch} reads the stamps when the next deadline is. Acts on no process.
 */
@NullMarked
package dev.resiliency.launcher.monitor;

import org.jspecify.annotations.NullMarked;

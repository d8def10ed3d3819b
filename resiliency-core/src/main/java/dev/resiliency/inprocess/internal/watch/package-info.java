/** Judges whether a rank makes progress: samples, heartbeats, deadlines. Used inside the rank and by its monitor process. */
@NullMarked
package dev.resiliency.inprocess.internal.watch;

import org.jspecify.annotations.NullMarked;

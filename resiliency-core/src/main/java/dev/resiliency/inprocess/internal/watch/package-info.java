/** Judges whether a rank makes progress, by samples, heartbeats and deadlines: in the rank and in its monitor process. */
@NullMarked
package dev.resiliency.inprocess.internal.watch;

import org.jspecify.annotations.NullMarked;

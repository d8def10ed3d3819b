/** The events for Java Flight Recorder: iterations, restarts, and the phases of restarts. */
@NullMarked
package dev.resiliency.inprocess.internal.jfr;

import org.jspecify.annotations.NullMarked;

/** What the library tells Java Flight Recorder: iterations, restarts, and the phases of restarts. */
@NullMarked
package dev.resiliency.inprocess.internal.jfr;

import org.jspecify.annotations.NullMarked;

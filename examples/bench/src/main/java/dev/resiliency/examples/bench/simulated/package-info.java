/** Restarts of jobs of many thousand ranks, simulated by clients of a real store server. */
@NullMarked
package dev.resiliency.examples.bench.simulated;

import org.jspecify.annotations.NullMarked;

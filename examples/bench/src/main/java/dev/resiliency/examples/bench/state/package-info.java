/** Measures the recovery from a peer's memory: its transfer, what it costs a training loop, and what a fault costs. */
@NullMarked
package dev.resiliency.examples.bench.state;

import org.jspecify.annotations.NullMarked;

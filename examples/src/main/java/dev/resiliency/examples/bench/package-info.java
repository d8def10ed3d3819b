/** Benchmarks, run by JMH. */
@NullMarked
package dev.resiliency.examples.bench;

import org.jspecify.annotations.NullMarked;

/** Benchmarks of {@code bench.sh}, and some for JMH. */
@NullMarked
package dev.resiliency.examples.bench;

import org.jspecify.annotations.NullMarked;

/** Benchmarks: those that {@code bench.sh} runs, and some for JMH. */
@NullMarked
package dev.resiliency.examples.bench;

import org.jspecify.annotations.NullMarked;

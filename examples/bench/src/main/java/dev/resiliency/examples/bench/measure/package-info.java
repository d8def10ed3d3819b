/** What the benchmarks measure with: processes, this machine, medians. */
@NullMarked
package dev.resiliency.examples.bench.measure;

import org.jspecify.annotations.NullMarked;

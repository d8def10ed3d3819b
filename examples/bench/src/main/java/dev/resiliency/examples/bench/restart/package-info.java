/** Measures restarts from outside: new jobs of real processes, one fault each. */
@NullMarked
package dev.resiliency.examples.bench.restart;

import org.jspecify.annotations.NullMarked;

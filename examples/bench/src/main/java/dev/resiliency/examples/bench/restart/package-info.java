/** How long a restart takes: fresh jobs of real processes, one fault each, measured from outside. */
@NullMarked
package dev.resiliency.examples.bench.restart;

import org.jspecify.annotations.NullMarked;

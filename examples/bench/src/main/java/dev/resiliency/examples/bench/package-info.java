/** The laboratory: what {@code bench.sh} measures and breaks. */
@NullMarked
package dev.resiliency.examples.bench;

import org.jspecify.annotations.NullMarked;

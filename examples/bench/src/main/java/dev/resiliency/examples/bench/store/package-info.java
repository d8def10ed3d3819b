/** Measures the store server, and the floor of the machine, with one load generator. */
@NullMarked
package dev.resiliency.examples.bench.store;

import org.jspecify.annotations.NullMarked;

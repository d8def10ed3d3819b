/** Measures the store server, PyTorch's, and what the machine itself takes, with one load generator. */
@NullMarked
package dev.resiliency.examples.bench.store;

import org.jspecify.annotations.NullMarked;

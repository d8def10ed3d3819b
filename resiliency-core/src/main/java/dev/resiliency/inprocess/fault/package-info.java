/** Faults that are injected on purpose, to see a job survive them. */
@NullMarked
package dev.resiliency.inprocess.fault;

import org.jspecify.annotations.NullMarked;

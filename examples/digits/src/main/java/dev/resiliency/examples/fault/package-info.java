/** Faults that a user requests on the command line. */
@NullMarked
package dev.resiliency.examples.fault;

import org.jspecify.annotations.NullMarked;

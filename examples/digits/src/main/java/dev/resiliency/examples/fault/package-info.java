/** The faults that a user asks for on the command line of an example. */
@NullMarked
package dev.resiliency.examples.fault;

import org.jspecify.annotations.NullMarked;

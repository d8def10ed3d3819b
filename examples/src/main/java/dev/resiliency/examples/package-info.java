/** The command line of the examples. */
@NullMarked
package dev.resiliency.examples;

import org.jspecify.annotations.NullMarked;

/**
 * Rank assignment: which ranks take part in the next iteration, and in which roles. Pure functions over the whole
 * world, without I/O.
 */
@NullMarked
package dev.resiliency.inprocess.rank;

import org.jspecify.annotations.NullMarked;

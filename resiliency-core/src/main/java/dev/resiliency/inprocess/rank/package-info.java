/** Rank assignment: who takes part in the next iteration, and as what. Pure functions over the whole world, no I/O. */
@NullMarked
package dev.resiliency.inprocess.rank;

import org.jspecify.annotations.NullMarked;

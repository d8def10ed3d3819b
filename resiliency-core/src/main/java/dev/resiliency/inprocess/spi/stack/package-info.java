/**
 * What the stack of a thread says: whether it waits, in what, and where the program itself is. A rank says it of itself when the job
 * hangs; the ranks, and a launcher, conclude from what all have said.
 */
@NullMarked
package dev.resiliency.inprocess.spi.stack;

import org.jspecify.annotations.NullMarked;

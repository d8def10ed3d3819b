/** Threads that run in steps: their clock, their wake-ups and their end. */
@NullMarked
package dev.resiliency.inprocess.internal.cycle;

import org.jspecify.annotations.NullMarked;

/** Threads that step: the clock they read, what wakes them, how they end. */
@NullMarked
package dev.resiliency.inprocess.internal.cycle;

import org.jspecify.annotations.NullMarked;

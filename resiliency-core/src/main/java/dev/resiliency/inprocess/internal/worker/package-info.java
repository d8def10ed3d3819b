/**
 * The thread that runs the function in one iteration, and the means to stop it: atomic sections, abort actions,
 * interrupts.
 */
@NullMarked
package dev.resiliency.inprocess.internal.worker;

import org.jspecify.annotations.NullMarked;

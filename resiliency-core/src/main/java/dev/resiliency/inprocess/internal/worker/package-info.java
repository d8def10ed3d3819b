/** The thread that runs the function in one iteration, and what stops it: atomic sections, abort actions, interrupts. */
@NullMarked
package dev.resiliency.inprocess.internal.worker;

import org.jspecify.annotations.NullMarked;

/** Runs one job of a wrapper: the store it hosts, the warm-up, and the loop from start to end. */
@NullMarked
package dev.resiliency.inprocess.internal;

import org.jspecify.annotations.NullMarked;

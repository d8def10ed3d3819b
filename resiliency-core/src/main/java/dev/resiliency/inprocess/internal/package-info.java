/** Runs one call of a wrapper: the store that it hosts, the warm-up, and the restart loop from start to end. */
@NullMarked
package dev.resiliency.inprocess.internal;

import org.jspecify.annotations.NullMarked;

/** The monitor process: a child JVM, or the agent, that outlives the rank long enough to report its death, and ends it if it hangs. */
@NullMarked
package dev.resiliency.inprocess.internal.monitor;

import org.jspecify.annotations.NullMarked;

/** The monitor process: a child JVM that outlives its rank long enough to report its death, and ends it if it hangs. */
@NullMarked
package dev.resiliency.inprocess.internal.monitor;

import org.jspecify.annotations.NullMarked;

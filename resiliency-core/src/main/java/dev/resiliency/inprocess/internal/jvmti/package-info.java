/** Thread control by JVMTI, reached through JNA without an agent; unavailable if JNA is absent. */
@NullMarked
package dev.resiliency.inprocess.internal.jvmti;

import org.jspecify.annotations.NullMarked;

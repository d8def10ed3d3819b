/** What only JVMTI can do to a thread, reached through JNA without an agent; nothing of it if JNA is absent. */
@NullMarked
package dev.resiliency.inprocess.internal.jvmti;

import org.jspecify.annotations.NullMarked;

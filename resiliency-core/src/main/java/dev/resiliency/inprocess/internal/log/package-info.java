/** Logs, and texts of what user code throws: neither can break or block who asks for them. */
@NullMarked
package dev.resiliency.inprocess.internal.log;

import org.jspecify.annotations.NullMarked;

/** The signals that this process handles or ignores. */
@NullMarked
package dev.resiliency.inprocess.internal.signal;

import org.jspecify.annotations.NullMarked;

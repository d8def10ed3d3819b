/**
 * What stands between this program and others: files at places that they can reach, and texts that they have written. It needs nothing
 * but the JDK, so all parts share it, a supervisor that loads no library included.
 */
@NullMarked
package dev.resiliency.store.spi.guard;

import org.jspecify.annotations.NullMarked;

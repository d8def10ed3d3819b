/**
 * What stands between this program and others: files at places that they can reach, texts that they have written, and processes that are
 * started. It needs nothing but the JDK, so all parts share it, a supervisor that loads no library included.
 */
@NullMarked
package dev.resiliency.store.spi.guard;

import org.jspecify.annotations.NullMarked;

/** The operations of a store, for code that builds on one or implements one. */
@NullMarked
package dev.resiliency.store.spi;

import org.jspecify.annotations.NullMarked;

/** The operations of a store, for code that builds on a store or implements one. */
@NullMarked
package dev.resiliency.store.spi;

import org.jspecify.annotations.NullMarked;

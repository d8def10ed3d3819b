/** Tests of a store's operations. */
@NullMarked
package dev.resiliency.store.spi;

import org.jspecify.annotations.NullMarked;

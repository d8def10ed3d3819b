/** Tests of the store: a contract for all implementations, and what each adds to it. */
@NullMarked
package dev.resiliency.store;

import org.jspecify.annotations.NullMarked;

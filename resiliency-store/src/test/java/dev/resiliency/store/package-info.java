/** Tests of the store: a contract that every kind keeps, and what each adds to it. */
@NullMarked
package dev.resiliency.store;

import org.jspecify.annotations.NullMarked;

/** The key-value store through which ranks coordinate: the interface, its values and its exceptions. */
@NullMarked
package dev.resiliency.store;

import org.jspecify.annotations.NullMarked;

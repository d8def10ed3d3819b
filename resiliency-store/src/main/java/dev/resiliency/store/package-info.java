/** The key-value store that ranks coordinate through: the interface, its operations and their errors. */
@NullMarked
package dev.resiliency.store;

import org.jspecify.annotations.NullMarked;

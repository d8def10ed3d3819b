/** Tests of what is built upon plain stores. */
@NullMarked
package dev.resiliency.store.plain;

import org.jspecify.annotations.NullMarked;

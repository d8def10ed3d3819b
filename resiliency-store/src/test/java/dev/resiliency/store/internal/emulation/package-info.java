/** Tests of what is built upon plain stores. */
@NullMarked
package dev.resiliency.store.internal.emulation;

import org.jspecify.annotations.NullMarked;

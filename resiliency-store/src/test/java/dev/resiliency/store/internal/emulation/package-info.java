/** Tests of the store that is emulated on a plain one. */
@NullMarked
package dev.resiliency.store.internal.emulation;

import org.jspecify.annotations.NullMarked;

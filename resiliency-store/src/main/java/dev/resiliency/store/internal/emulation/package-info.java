/** Sets, barriers and watches, emulated with the verbs of a plain key-value store. */
@NullMarked
package dev.resiliency.store.internal.emulation;

import org.jspecify.annotations.NullMarked;

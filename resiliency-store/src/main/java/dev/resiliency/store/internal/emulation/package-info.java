/** What this store does beyond a plain key-value store, built upon the plain verbs of another one. */
@NullMarked
package dev.resiliency.store.internal.emulation;

import org.jspecify.annotations.NullMarked;

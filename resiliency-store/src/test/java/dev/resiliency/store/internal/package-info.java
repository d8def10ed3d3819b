/** Tests of the keyspace, without a network, a thread or a clock. */
@NullMarked
package dev.resiliency.store.internal;

import org.jspecify.annotations.NullMarked;

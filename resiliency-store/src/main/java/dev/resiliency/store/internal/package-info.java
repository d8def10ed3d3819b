/**
 * The state machine behind every store: keys, barriers, watches, sessions. It knows no network and starts no thread;
 * the owner of a {@link dev.resiliency.store.internal.Keyspace} calls it from one thread or under one lock.
 */
@NullMarked
package dev.resiliency.store.internal;

import org.jspecify.annotations.NullMarked;

/** The client of the TCP store: its connection, session and reconnection. */
@NullMarked
package dev.resiliency.store.tcp.internal.client;

import org.jspecify.annotations.NullMarked;

/** The server of the TCP store: connections, sessions, and the event loop that owns its state. */
@NullMarked
package dev.resiliency.store.tcp.internal.server;

import org.jspecify.annotations.NullMarked;

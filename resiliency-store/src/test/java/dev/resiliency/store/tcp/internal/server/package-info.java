/** Tests of the TCP store's server. */
@NullMarked
package dev.resiliency.store.tcp.internal.server;

import org.jspecify.annotations.NullMarked;

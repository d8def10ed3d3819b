/** How a store's operations travel over a TCP connection: frames, codecs, handshake, limits. */
@NullMarked
package dev.resiliency.store.tcp.internal.wire;

import org.jspecify.annotations.NullMarked;

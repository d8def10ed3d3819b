/** The wire protocol of the TCP store: frames, codecs, handshake, limits. */
@NullMarked
package dev.resiliency.store.tcp.internal.wire;

import org.jspecify.annotations.NullMarked;

/** Tests of the wire protocol of the TCP store. */
@NullMarked
package dev.resiliency.store.tcp.internal.wire;

import org.jspecify.annotations.NullMarked;

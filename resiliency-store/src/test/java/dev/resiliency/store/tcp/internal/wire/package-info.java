/** Tests of the TCP store's wire. */
@NullMarked
package dev.resiliency.store.tcp.internal.wire;

import org.jspecify.annotations.NullMarked;

/** Tests of the TCP store's client. */
@NullMarked
package dev.resiliency.store.tcp.internal.client;

import org.jspecify.annotations.NullMarked;

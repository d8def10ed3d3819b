/** How a store's operations travel over a TCP connection. */
@NullMarked
package dev.resiliency.store.tcp.internal;

import org.jspecify.annotations.NullMarked;

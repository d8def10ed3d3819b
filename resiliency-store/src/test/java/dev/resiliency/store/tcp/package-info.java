/** Tests of the store over TCP, against real sockets on the loopback address. */
@NullMarked
package dev.resiliency.store.tcp;

import org.jspecify.annotations.NullMarked;

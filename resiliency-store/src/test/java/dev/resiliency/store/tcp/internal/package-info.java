/** Tests of the wire, on channels without a socket. */
@NullMarked
package dev.resiliency.store.tcp.internal;

import org.jspecify.annotations.NullMarked;

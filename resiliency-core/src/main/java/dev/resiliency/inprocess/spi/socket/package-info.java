/**
 * Sockets of native libraries, for modules whose groups of ranks a restart must free: what they connect to on the loopback
 * interface ({@link dev.resiliency.inprocess.spi.socket.LoopbackServer}), and what connects them to the other ranks ({@link
 * dev.resiliency.inprocess.spi.socket.PeerConnections}).
 */
@NullMarked
package dev.resiliency.inprocess.spi.socket;

import org.jspecify.annotations.NullMarked;

/**
 * One file for the lines of all nodes: a gRPC server beside the job's store, and the client by which each node sends it what its own
 * log files contain.
 *
 * <p>A node's file is the truth, and what it has sent is a prefix of that: lines are numbered, and the server answers each stream
 * with the number of the last line that it has written. Whoever begins anew, client or server, asks for that number. The server
 * finds it in its own file, where each line names its node and its number.
 *
 * <p>A client whose job has a secret proves it: the server refuses its first call with a challenge for this connection, and the
 * client answers that with an HMAC in all further calls.
 */
@NullMarked
package dev.resiliency.launcher.log.server;

import org.jspecify.annotations.NullMarked;

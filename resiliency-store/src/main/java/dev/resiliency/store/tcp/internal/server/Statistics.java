package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.internal.Holdings;

/**
 * What a server has to do.
 *
 * @param connections open at the moment
 * @param holdings what its keyspace holds at the moment
 * @param requests since it started
 */
public record Statistics(int connections, Holdings holdings, long requests) {}

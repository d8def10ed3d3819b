package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.internal.Holdings;

/**
 * The load of a server.
 *
 * @param connections the number of open connections
 * @param holdings the current contents of its keyspace
 * @param requests the number of requests since it started
 */
public record Statistics(int connections, Holdings holdings, long requests) {}

package dev.resiliency.store.tcp.internal;

/**
 * What a server has to do.
 *
 * @param connections open at the moment
 * @param keys that exist at the moment
 * @param requests since it started
 */
public record Statistics(int connections, int keys, long requests) {}

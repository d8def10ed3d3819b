package dev.resiliency.store.internal;

import dev.resiliency.store.spi.StoreLimit;

/**
 * The contents of a keyspace in numbers.
 *
 * @param keys the number of keys, including those of sets and barriers
 * @param bytes the bytes that count towards {@link StoreLimit#TOTAL_BYTES}
 * @param sessions the number of sessions that have not ended
 * @param waiting the number of requests that wait
 * @param watches the number of watches of all sessions
 */
public record Holdings(int keys, long bytes, int sessions, int waiting, int watches) {}

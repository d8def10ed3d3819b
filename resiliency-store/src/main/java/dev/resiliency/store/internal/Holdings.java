package dev.resiliency.store.internal;

/**
 * The contents of a keyspace in numbers.
 *
 * @param keys the number of keys, including those of sets and barriers
 * @param bytes the bytes that count towards {@link dev.resiliency.store.Store.Limit#TOTAL_BYTES}
 * @param sessions the number of sessions that have not ended
 * @param waiting the number of requests that wait
 * @param watches the number of watches of all sessions
 */
public record Holdings(int keys, long bytes, int sessions, int waiting, int watches) {}

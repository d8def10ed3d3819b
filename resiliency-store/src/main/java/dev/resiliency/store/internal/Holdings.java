package dev.resiliency.store.internal;

/**
 * What a keyspace holds.
 *
 * @param keys sets and barriers among them
 * @param bytes towards {@link dev.resiliency.store.Store.Limit#TOTAL_BYTES}
 * @param sessions that have not ended
 * @param waiting requests that wait
 * @param watches of all sessions
 */
public record Holdings(int keys, long bytes, int sessions, int waiting, int watches) {}

package dev.resiliency.store.spi;

/**
 * The load of a store server, for those who watch over it.
 *
 * @param connections the number of open connections
 * @param requests the number of requests since it started
 * @param keys the number of keys, including those of sets and barriers
 * @param bytes the bytes that count towards {@link StoreLimit#TOTAL_BYTES}
 * @param sessions the number of sessions that have not ended
 * @param waiting the number of requests that wait
 * @param watches the number of watches of all sessions
 * @since 0.1.0
 */
public record StoreFigures(
        int connections, long requests, int keys, long bytes, int sessions, int waiting, int watches) {}

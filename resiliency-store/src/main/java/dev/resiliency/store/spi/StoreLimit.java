package dev.resiliency.store.spi;

import java.util.Locale;

/**
 * The limits of a store. The defaults suffice for a job of 16,384 ranks, and stop endless loops and hostile clients.
 * A request that exceeds a limit fails with an error that names it.
 *
 * @since 0.1.0
 */
public enum StoreLimit {
    /** Bytes of a key in UTF-8; 8 KiB by default. */
    KEY_BYTES(8 << 10, "bytes of a key"),

    /** Bytes of a value; 8 MiB by default. */
    VALUE_BYTES(8 << 20, "bytes of a value"),

    /** Entries of all lists in one request, such as keys and operations, or in one answer; 131,072 by default. */
    LIST_ENTRIES(128 << 10, "entries of the lists in a request or an answer"),

    /**
     * Bytes of a request or an answer on the wire; 16 MiB by default. The server closes the connection of a client
     * that sends more, and a request fails as soon as its results exceed this. The largest value must fit in,
     * together with its key.
     */
    FRAME_BYTES(16 << 20, "bytes of a request or an answer"),

    /** Keys, including those of sets and barriers; 1,000,000 by default. */
    KEYS(1_000_000, "keys"),

    /**
     * Bytes of everything that the store keeps for its clients: keys, values, sets, barriers, last wills, watches
     * and pending requests; 1 GiB by default. The heap needs about twice as much.
     */
    TOTAL_BYTES(1L << 30, "bytes of all keys, values and pending requests"),

    /**
     * Connections; 40,000 by default. A further one is closed at once, unless another has not completed its handshake:
     * then the oldest of those is.
     */
    CONNECTIONS(40_000, "connections"),

    /** Pending requests of a connection, and also its watches; 1,024 by default. */
    WAITERS(1_024, "pending requests of a connection, and also its watches"),

    /**
     * Bytes that are still to be sent over a connection; 4 MiB by default. Beyond that the server stops reading
     * requests from this connection. If its client then reads nothing for 5 s, it fails the pending ones, and closes
     * the connection when a watched key changes; after 30 s it closes it anyway. A single answer that starts below
     * the limit may have any size.
     */
    UNWRITTEN_BYTES(4 << 20, "bytes buffered for a connection that does not read them");

    private final long byDefault;
    private final String meaning;

    StoreLimit(long byDefault, String meaning) {
        this.byDefault = byDefault;
        this.meaning = meaning;
    }

    /** Returns the default. */
    public long byDefault() {
        return byDefault;
    }

    /** Returns what is limited, in words. */
    public String meaning() {
        return meaning;
    }

    /** Returns the name in error messages, which is the server's option without {@code --}: {@code max-keys}. */
    @Override
    public String toString() {
        return "max-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

package dev.resiliency.store;

import java.util.Locale;

/**
 * How much of something a store takes. The defaults are enough for a job of 16,384 ranks, and a wall against a loop that
 * never ends or a client that means harm. What would go over a limit is refused with an error that names it.
 */
public enum StoreLimit {
    /** Bytes of a key in UTF-8; by default 8 KiB. */
    KEY_BYTES(8 << 10, "bytes of a key"),

    /** Bytes of a value; by default 8 MiB. */
    VALUE_BYTES(8 << 20, "bytes of a value"),

    /** Entries of all lists in one request, such as keys and operations, or in one answer; by default 131,072. */
    LIST_ENTRIES(128 << 10, "entries of the lists in a request or an answer"),

    /**
     * Bytes of a request or an answer on the wire; by default 16 MiB. A client that sends more is closed. A request fails
     * as soon as its results are more. The largest value with its key must fit in.
     */
    FRAME_BYTES(16 << 20, "bytes of a request or an answer"),

    /** Keys, barriers and sets among them; by default 1,000,000. */
    KEYS(1_000_000, "keys"),

    /**
     * Bytes of all that the store remembers for its clients: keys, values, sets, barriers, last wills, watches and
     * requests that wait; by default 1 GiB. The heap needs about twice as much.
     */
    TOTAL_BYTES(1L << 30, "bytes of all keys, values and waiting requests"),

    /** Connections; by default 40,000. One more is closed at once. */
    CONNECTIONS(40_000, "connections"),

    /** Requests of a connection that wait at the same time, and likewise its watches; by default 1,024. */
    WAITERS(1_024, "waiting requests, and watches, of a connection"),

    /**
     * Bytes that the server keeps for a connection whose client does not read them; by default 4 MiB. From there on the
     * server reads none of its requests and fails those that wait; it closes the connection when there is a change to
     * tell, or when it stays so for 30 s. An answer begun below the limit may be of any size.
     */
    UNWRITTEN_BYTES(4 << 20, "bytes that a connection has not read");

    private final long byDefault;
    private final String meaning;

    StoreLimit(long byDefault, String meaning) {
        this.byDefault = byDefault;
        this.meaning = meaning;
    }

    /** What holds if nothing else is said. */
    public long byDefault() {
        return byDefault;
    }

    /** What is counted, in words. */
    public String meaning() {
        return meaning;
    }

    /** The name that errors give it, which is that of the server's option without its {@code --}: {@code max-keys}. */
    @Override
    public String toString() {
        return "max-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

package dev.resiliency.examples.bench.store;

import java.nio.ByteOrder;

/** Protocol of a server that notifies many clients. */
public interface Wire {
    /** Returns the byte order of numbers. */
    ByteOrder order();

    /** Opens a connection. */
    Step hello();

    /** Waits until the key, which does not exist yet, is {@linkplain #change changed}. */
    Step awaitChange(String key);

    /** Writes a key. */
    Step change(String key);
}

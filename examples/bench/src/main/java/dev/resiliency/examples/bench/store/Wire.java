package dev.resiliency.examples.bench.store;

import java.nio.ByteOrder;

/** How a server is spoken to that tells many of something. */
public interface Wire {
    /** The order of bytes in a number. */
    ByteOrder order();

    /** Opens a connection. */
    Step hello();

    /** Waits until the key, which is not there yet, is {@linkplain #change changed}. */
    Step awaitChange(String key);

    /** Writes a key. */
    Step change(String key);
}

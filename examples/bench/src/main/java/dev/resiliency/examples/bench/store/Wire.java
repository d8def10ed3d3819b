package dev.resiliency.examples.bench.store;

/** Protocol of a server that notifies many clients. */
public interface Wire {
    /** Opens a connection. */
    Step hello();

    /** Waits until the key, which does not exist yet, is {@linkplain #change changed}. */
    Step awaitChange(String key);

    /** Writes a key. */
    Step change(String key);
}

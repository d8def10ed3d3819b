package dev.resiliency.store.tcp.internal;

/** What is known of the frames, or messages, that arrive on a connection. */
interface Framing {

    /** How many there were. */
    long frames();

    /** Whether one has begun and not ended. */
    boolean isAmidFrame();
}

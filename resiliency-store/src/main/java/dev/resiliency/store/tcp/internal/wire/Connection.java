package dev.resiliency.store.tcp.internal.wire;

/** A client of a server, whatever it speaks. */
public interface Connection extends FlushQueue.Writer {

    /** Cuts it off. */
    void close();
}

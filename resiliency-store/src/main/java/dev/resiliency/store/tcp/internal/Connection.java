package dev.resiliency.store.tcp.internal;

/** A client of a server, whatever it speaks. */
interface Connection extends FlushQueue.Writer {

    /** Cuts it off. */
    void close();
}

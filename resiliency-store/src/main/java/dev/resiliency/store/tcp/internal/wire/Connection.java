package dev.resiliency.store.tcp.internal.wire;

/** The server's connection to a client, whatever protocol it speaks. */
public interface Connection extends FlushQueue.Writer {

    /** Disconnects the client. */
    void close();
}

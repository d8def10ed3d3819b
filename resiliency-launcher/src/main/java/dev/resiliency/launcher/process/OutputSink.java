package dev.resiliency.launcher.process;

import java.io.InputStream;

/** Receives what a process writes. */
@FunctionalInterface
public interface OutputSink {
    /** Begins to read both streams, on other threads: the process waits when they are full. */
    void read(InputStream output, InputStream errors);

    /** Returns whether the process has the standard input of this one; it has none otherwise. */
    default boolean sharesInput() {
        return false;
    }
}

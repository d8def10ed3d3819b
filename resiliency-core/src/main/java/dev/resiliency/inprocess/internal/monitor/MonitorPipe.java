package dev.resiliency.inprocess.internal.monitor;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** A rank's end of the pipe to the process that watches it. */
interface MonitorPipe {
    /** Returns what that process says. */
    InputStream input();

    /** Returns the stream to it. */
    OutputStream output();

    /** Returns its name for people. */
    String name();

    /** Returns what has happened if it does not watch the rank any more. */
    String ended();

    /**
     * Returns why a process that has not begun to watch the rank is waited for no longer; null if it is. Called after each
     * {@link StartWatch#PERIOD}.
     */
    @Nullable
    String startFailure();

    /** Ends the stream to it. If the rank has not said goodbye, that process takes it for dead. */
    void closeOutput() throws IOException;

    /** Ends the watch at once; what the process says ends then. */
    void kill();

    /** Waits a limited time for the end of a process whose {@link #input} has ended. */
    void awaitEnd() throws InterruptedException;
}

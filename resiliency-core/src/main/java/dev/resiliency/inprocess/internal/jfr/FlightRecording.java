package dev.resiliency.inprocess.internal.jfr;

import jdk.jfr.FlightRecorder;

/**
 * Detects whether events are worth recording. The JDK generates code when the class of an event is loaded, which costs
 * some hundred milliseconds of processor time for the first one; so no event is touched in a process without a
 * recording.
 */
public final class FlightRecording {
    private FlightRecording() {}

    /** Returns whether a recording is running, or has run, in this process. */
    public static boolean isOn() {
        return FlightRecorder.isInitialized();
    }
}

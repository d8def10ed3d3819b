package dev.resiliency.inprocess.internal.jfr;

import jdk.jfr.FlightRecorder;

/**
 * Whether there is anything to record for. The JDK writes code for an event when its class is loaded, which takes it some
 * hundred milliseconds of processor time for the first one; so no event is touched in a process that nobody has recorded.
 */
public final class FlightRecording {
    private FlightRecording() {}

    /** Returns whether a recording runs in this process, or has run. */
    public static boolean isOn() {
        return FlightRecorder.isInitialized();
    }
}

package dev.resiliency.examples.bench.measure;

/** How far a process has come on its way into its job. */
public enum Stage {
    /** Its program calls the wrapper. */
    STARTED,
    /** It is connected to the store. */
    CONNECTED,
    /** Its monitor process watches it. */
    MONITORED
}

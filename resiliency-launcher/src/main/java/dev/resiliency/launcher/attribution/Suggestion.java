package dev.resiliency.launcher.attribution;

/** What to do about the cause of an incident. */
enum Suggestion {
    /** It may not happen again. */
    RESTART,
    /** It will happen again on that host. */
    EXCLUDE_HOST,
    /** It will happen again anywhere. */
    STOP
}

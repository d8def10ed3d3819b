package dev.resiliency.launcher.rendezvous;

/** How long an agent stays with a job that it leaves. */
public enum Stay {
    /** Until the store knows that it leaves. */
    BRIEFLY,
    /** Until the others have agreed on who votes without it, and so can go on without the store that it hosts, or have left. */
    UNTIL_REPLACED,
    /** Until all others have left, which need the store that it hosts. */
    UNTIL_LAST
}

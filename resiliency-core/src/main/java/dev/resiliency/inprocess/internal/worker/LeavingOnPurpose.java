package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.ResiliencyException;

/** A rank leaves because it was asked to. It never reaches the caller, whose call returns null. */
public final class LeavingOnPurpose extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    private final String why;

    /**
     * Creates the reason of a rank that leaves.
     *
     * @param why the reason that it was given
     * @param when for logs: {@code at safe point 120}
     */
    public LeavingOnPurpose(String why, String when) {
        super("it was asked to (%s) and leaves %s; its call returns null".formatted(why, when), null);
        this.why = why;
    }

    /** Returns the reason that the rank was given. */
    public String why() {
        return why;
    }
}

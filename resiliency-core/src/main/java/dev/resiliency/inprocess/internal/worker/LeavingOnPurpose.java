package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.ResiliencyException;

/** A rank leaves without a fault. It never reaches the caller, whose call returns null or waits to join again. */
public final class LeavingOnPurpose extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    private final String why;
    private final boolean comesAgain;

    private LeavingOnPurpose(String message, String why, boolean comesAgain) {
        super(message, null);
        this.why = why;
        this.comesAgain = comesAgain;
    }

    /**
     * Returns the reason of a rank that was asked to leave.
     *
     * @param why the reason that it was given
     * @param when for logs: {@code at safe point 120}
     */
    public static LeavingOnPurpose asAsked(String why, String when) {
        return new LeavingOnPurpose(
                "it was asked to (%s) and leaves %s; its call returns null".formatted(why, when), why, false);
    }

    /** Returns the reason of a rank that waits until it joins again. */
    public static LeavingOnPurpose toWait(String why) {
        return new LeavingOnPurpose(why, why, true);
    }

    /** Returns the reason that the rank was given, or has. */
    public String why() {
        return why;
    }

    /** Returns whether this process joins again. */
    public boolean comesAgain() {
        return comesAgain;
    }
}

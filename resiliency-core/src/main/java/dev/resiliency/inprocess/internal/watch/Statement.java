package dev.resiliency.inprocess.internal.watch;

import dev.resiliency.inprocess.spi.stack.Standing;

/**
 * What a rank says of its function in a hang.
 *
 * @param text the same for people
 */
public record Statement(Standing standing, String text) {

    /** Returns the text in short: {@code made no progress for 6.0 s, sleeps, 212 pings, at LogReg.fault:71}. */
    public String brief() {
        return standing.brief(text);
    }
}

package dev.resiliency.inprocess.internal.watch;

import dev.resiliency.inprocess.spi.stack.Activity;
import java.util.Locale;

/**
 * The lack of progress of a thread.
 *
 * @param what it does not do: {@code made no progress}
 * @param since a time of {@link System#nanoTime}
 * @param where the thread stood when the watchdog last looked
 */
public record Silence(Thread thread, String what, long since, WhereItStands where) {

    /** Returns this of a thread that was in a socket, since it has lost a connection. */
    Silence inASocket() {
        return new Silence(
                thread, what, since, new WhereItStands(where.standing().in(Activity.SOCKET), where.more()));
    }

    /**
     * Returns what others learn: {@code made no progress for 6.0 s, sleeps, 212 pings, at [...]}.
     *
     * @param remark what else is known; may be empty
     */
    Statement statement(long now, String remark) {
        return where.statement(
                String.format(Locale.ROOT, "%s for %.1f s%s, ", what, Math.max(0, now - since) / 1e9, remark));
    }
}

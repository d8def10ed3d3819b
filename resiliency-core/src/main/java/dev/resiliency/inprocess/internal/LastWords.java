package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.spi.stack.Standing;

/** The last line of a process that its monitor process ends: on standard error, as what remains of the process is its exit code. */
final class LastWords {
    private LastWords() {}

    @SuppressWarnings("SystemOut") // a log may not be written any more
    static void print(LogPrefix prefix, String why, Supervision supervision) {
        System.err.println(text(prefix.toString(), why, supervision.whereItStands(Clock.SYSTEM.nanoTime())));
    }

    /** @param standing where the function stands; empty if none runs */
    static String text(String prefix, String why, String standing) {
        String path = Standing.path(standing);
        return prefix + " ends, by its monitor process: " + why
                + (standing.isEmpty() ? "" : "; the function " + brief(standing))
                + (path.contains(" < ") ? path.substring(path.indexOf(" < ")) : "");
    }

    /** What the others do, a process that was suspended does not know. */
    private static String brief(String standing) {
        return Standing.brief(standing).replace(Standing.RUNS + " ", "");
    }
}

package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.watch.Statement;
import dev.resiliency.inprocess.internal.watch.Supervision;
import org.jspecify.annotations.Nullable;

/** The last line of a process that its monitor process ends: on standard error, as what remains of the process is its exit code. */
final class LastWords {
    private LastWords() {}

    @SuppressWarnings("SystemOut") // a log may not be written any more
    static void print(LogPrefix prefix, String why, Supervision supervision) {
        System.err.println(text(prefix.toString(), why, supervision.whereItStands(Clock.SYSTEM.nanoTime())));
    }

    /** @param where the function stands; null if none runs */
    static String text(String prefix, String why, @Nullable Statement where) {
        String text = prefix + " ends, by its monitor process: " + why;
        if (where == null) {
            return text;
        }
        String path = where.standing().path();
        return text + "; the function " + where.brief()
                + (path.contains(" < ") ? path.substring(path.indexOf(" < ")) : "");
    }
}

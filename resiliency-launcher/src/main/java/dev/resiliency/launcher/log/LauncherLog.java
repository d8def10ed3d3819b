package dev.resiliency.launcher.log;

import java.io.PrintStream;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes the lines of a launcher to standard error. Not through a logging library: a supervisor has the class path of the
 * program that it supervises, and both would write to that program's log files. Safe for use by many threads.
 */
public final class LauncherLog {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);

    private final PrintStream out;
    private final String prefix;

    private LauncherLog(PrintStream out, String prefix) {
        this.out = out;
        this.prefix = prefix;
    }

    /** Returns the log of this process, whose lines name its {@code RANK} if it has one. */
    public static LauncherLog standard() {
        String rank = System.getenv("RANK");
        return new LauncherLog(System.err, rank == null ? "[supervisor]" : "[supervisor of rank " + rank + "]");
    }

    /** Returns the log of an agent, whose lines name its node. */
    public static LauncherLog ofAgent(String node) {
        return new LauncherLog(System.err, "[agent of " + node + "]");
    }

    /** Writes a line; nothing if it is empty. */
    public void line(String text) {
        if (!text.isEmpty()) {
            out.println(TIME.format(LocalDateTime.now(ZoneId.systemDefault())) + " " + prefix + " " + text);
        }
    }
}

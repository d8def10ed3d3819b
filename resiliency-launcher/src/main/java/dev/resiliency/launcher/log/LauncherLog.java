package dev.resiliency.launcher.log;

import dev.resiliency.store.spi.guard.Printable;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the lines of a launcher to standard error. Not through a logging library: a supervisor has the class path of the
 * program that it supervises, and both would write to that program's log files. Safe for use by many threads.
 */
public final class LauncherLog {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);

    private final PrintStream out;
    private final String prefix;
    /** Receives each line as well; null for none. Written by the thread that sets up the agent, read by any. */
    private volatile @Nullable Consumer<String> copy;

    LauncherLog(PrintStream out, String prefix) {
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

    /** Returns the log of a log server. */
    public static LauncherLog ofLogServer() {
        return new LauncherLog(System.err, "[log server]");
    }

    /** Returns the log of an attribution service. */
    public static LauncherLog ofAttributionService() {
        return new LauncherLog(System.err, "[attribution]");
    }

    /** Returns what a command prints to, as bytes. */
    public static OutputStream standardOutput() {
        return System.out;
    }

    /** Writes a line; nothing if it is empty. What others have written in it, such as a reason, forges no other line. */
    public void line(String text) {
        if (!text.isEmpty()) {
            String line =
                    TIME.format(LocalDateTime.now(ZoneId.systemDefault())) + " " + Printable.of(prefix + " " + text);
            out.println(line);
            Consumer<String> receiver = copy;
            if (receiver != null) {
                receiver.accept(line);
            }
        }
    }

    /** Gives each further line to this receiver as well. */
    public void copyTo(Consumer<String> receiver) {
        copy = receiver;
    }
}

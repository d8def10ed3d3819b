package dev.resiliency.launcher.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The terminal of this process. */
public final class Terminal {
    private Terminal() {}

    /** Returns whether standard output or standard error is a terminal. {@code System.console()} asks for the input as well. */
    static boolean isWrittenTo() {
        return Stream.of("/proc/self/fd/1", "/proc/self/fd/2").anyMatch(Terminal::isTerminal);
    }

    /** Returns whether standard output is a terminal. */
    public static boolean isOutput() {
        return isTerminal("/proc/self/fd/1");
    }

    private static boolean isTerminal(String descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of(descriptor)).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException closed) {
            return false;
        }
    }
}

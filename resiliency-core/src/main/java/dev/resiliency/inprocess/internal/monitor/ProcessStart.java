package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Reads when a process started, as a text that is the same in every process that reads it: a process of the same id that
 * started at another time is another one.
 */
public final class ProcessStart {
    static final Path PROC = Path.of("/proc");
    /** In {@code /proc/PID/stat}, counted from the field behind the name. */
    private static final int START_TICKS = 19;

    private ProcessStart() {}

    /** Returns the start of a process on this host; empty if there is none of that id. */
    public static String of(long pid) {
        return of(pid, PROC);
    }

    /**
     * Returns on Linux the kernel's count since the boot. The instant that Java reports is no substitute: each virtual
     * machine adds the time of the boot as it reads it itself, and that moves when the clock is set.
     */
    static String of(long pid, Path proc) {
        if (!Files.isDirectory(proc)) {
            return ProcessHandle.of(pid)
                    .flatMap(process -> process.info().startInstant())
                    .map(Instant::toString)
                    .orElse("");
        }
        try {
            String stat = Files.readString(proc.resolve(Long.toString(pid)).resolve("stat"), ISO_8859_1);
            // The name is in parentheses, and may itself hold any byte, spaces and parentheses included.
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ", START_TICKS + 2)[START_TICKS] + " ticks";
        } catch (IOException noSuchProcess) {
            return "";
        }
    }
}

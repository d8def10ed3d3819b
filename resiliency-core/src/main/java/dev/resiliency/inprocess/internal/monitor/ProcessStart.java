package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Reads the start time of a process, as a text that is the same for every reader: a process with the same id but
 * another start time is a different one.
 */
public final class ProcessStart {
    static final Path PROC = Path.of("/proc");
    /** The index in {@code /proc/PID/stat}, counted from the field after the name. */
    private static final int START_TICKS = 19;

    private ProcessStart() {}

    /** Returns the start of a process on this host; empty if there is none of that id. */
    public static String of(long pid) {
        return of(pid, PROC);
    }

    /**
     * Returns, on Linux, the kernel's ticks since the boot. Java's start instant is no substitute: each virtual machine
     * adds its own reading of the boot time, which moves when the clock is set.
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

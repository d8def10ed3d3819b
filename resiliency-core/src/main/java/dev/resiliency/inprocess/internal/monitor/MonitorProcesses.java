package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Finds monitor processes from outside: for fault injection. */
public final class MonitorProcesses {
    private MonitorProcesses() {}

    /** Returns the ids of the monitor processes that this process has started and that live. */
    public static List<Long> ofThisProcess() {
        List<Long> pids = ProcessHandle.current()
                .children()
                .map(ProcessHandle::pid)
                .filter(MonitorProcesses::isMonitor)
                .toList();
        if (pids.isEmpty()) {
            throw new IllegalStateException("this process has no monitor process");
        }
        return pids;
    }

    /** Reads the whole command line: {@link ProcessHandle} knows its first 4096 bytes only. */
    private static boolean isMonitor(long pid) {
        try {
            String command = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), UTF_8);
            return List.of(command.split("\0", -1)).contains(MonitorMain.class.getName());
        } catch (IOException hasEnded) {
            return false;
        }
    }
}

package dev.resiliency.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds monitor processes from outside.
 *
 * @since 0.1.0
 */
public final class MonitorProcesses {
    /** The main class of a monitor process, as its command line names it. */
    private static final String MAIN_CLASS = "dev.resiliency.inprocess.internal.monitor.MonitorMain";

    private MonitorProcesses() {}

    /**
     * Returns the ids of the living monitor processes that this process has started.
     *
     * @throws IllegalStateException if there is none
     */
    public static List<Long> ofThisProcess() {
        List<Long> pids = ProcessHandle.current()
                .children()
                .map(ProcessHandle::pid)
                .filter(MonitorProcesses::isMonitor)
                .toList();
        if (pids.isEmpty()) {
            throw new IllegalStateException(
                    "this process has no monitor process of its own; under an agent, monitorProcessPidFile asks for one");
        }
        return pids;
    }

    /** Reads the whole command line: {@link ProcessHandle} has only its first 4096 bytes. */
    private static boolean isMonitor(long pid) {
        try {
            String command = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), UTF_8);
            return List.of(command.split("\0", -1)).contains(MAIN_CLASS);
        } catch (IOException hasEnded) {
            return false;
        }
    }
}

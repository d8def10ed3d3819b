package dev.resiliency.inprocess.internal.settings;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.rank.RankAssignment;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a wrapper, checked.
 *
 * @param monitorProcess whether to start a monitor process
 * @param monitorProcessLogFile its log file, with {@code {rank}} for the initial rank; null for none
 * @param monitorProcessPidFile the file of its process id, likewise
 * @param warmUp whether to run restarts before the first real one
 */
public record Settings(
        Environment environment,
        StoreFactory store,
        RankAssignment rankAssignment,
        Hooks hooks,
        Timings timings,
        boolean monitorProcess,
        @Nullable String monitorProcessLogFile,
        @Nullable String monitorProcessPidFile,
        boolean warmUp) {

    /** Returns the same settings without limits on progress. */
    public Settings withoutHangLimits() {
        return new Settings(
                environment,
                store,
                rankAssignment,
                hooks,
                timings.withoutHangLimits(),
                monitorProcess,
                monitorProcessLogFile,
                monitorProcessPidFile,
                warmUp);
    }
}

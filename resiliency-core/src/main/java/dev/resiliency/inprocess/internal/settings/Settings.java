package dev.resiliency.inprocess.internal.settings;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.rank.RankAssignment;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a wrapper, checked.
 *
 * @param monitorProcess whether to start one
 * @param monitorProcessLogFile where it logs, with {@code {rank}} for the initial rank; null for nowhere
 * @param monitorProcessPidFile where it leaves its process id, likewise
 * @param warmUp whether to play restarts before the first real one
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

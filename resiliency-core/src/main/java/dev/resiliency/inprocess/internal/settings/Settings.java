package dev.resiliency.inprocess.internal.settings;

import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.rank.RankAssignment;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a wrapper, checked.
 *
 * @param monitorProcess whether to start a monitor process
 * @param monitorProcessLogFile its log file, with {@code {rank}} for the initial rank; null for none
 * @param monitorProcessPidFile the file of its process id, likewise
 * @param warmUp whether to run restarts before the first real one
 * @param refound whether survivors found the store anew when its host is lost
 * @param callNumber the number of each call; null to count them
 * @param leaveOn the signals that make this rank leave on purpose, without {@code SIG}, and their graces
 */
public record Settings(
        Environment environment,
        StoreFactory store,
        RankAssignment rankAssignment,
        Elasticity elasticity,
        Hooks hooks,
        Timings timings,
        boolean monitorProcess,
        @Nullable String monitorProcessLogFile,
        @Nullable String monitorProcessPidFile,
        boolean warmUp,
        boolean refound,
        @Nullable Integer callNumber,
        Map<String, Duration> leaveOn) {

    /** Returns the same settings without limits on progress. */
    public Settings withoutHangLimits() {
        return new Settings(
                environment,
                store,
                rankAssignment,
                elasticity,
                hooks,
                timings.withoutHangLimits(),
                monitorProcess,
                monitorProcessLogFile,
                monitorProcessPidFile,
                warmUp,
                refound,
                callNumber,
                leaveOn);
    }
}

package dev.resiliency.inprocess;

import dev.resiliency.inprocess.hook.Abort;
import dev.resiliency.inprocess.hook.Completion;
import dev.resiliency.inprocess.hook.Finalize;
import dev.resiliency.inprocess.hook.HealthCheck;
import dev.resiliency.inprocess.hook.Initialize;
import dev.resiliency.inprocess.hook.Terminate;
import dev.resiliency.inprocess.internal.settings.Hooks;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.settings.Timings;
import dev.resiliency.inprocess.rank.ActivateAllRanks;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.ShiftRanks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Collects the settings of a {@link Wrapper}. Each has a default that suits a job of some hundred ranks; the names are
 * the guide's. Not safe for use by several threads.
 */
public final class WrapperBuilder {
    /** How many heartbeats there are within the time after which a host counts as lost, by default. */
    private static final int HEARTBEATS = 3;

    private @Nullable Environment environment;
    private StoreFactory store = StoreFactory.hostedByRankZero(Duration.ofMinutes(1));
    private RankAssignment rankAssignment = RankAssignment.compose(new ActivateAllRanks(), new ShiftRanks());
    private @Nullable Initialize initialize;
    private @Nullable Abort abort;
    private @Nullable Finalize finish;
    private @Nullable HealthCheck healthCheck;
    private @Nullable Completion completion;
    private @Nullable Terminate terminate;
    private RestartListener listener = new RestartListener() {};
    private Duration monitorThreadInterval = Duration.ofSeconds(1);
    private Duration monitorProcessInterval = Duration.ofSeconds(1);
    private @Nullable Duration heartbeatInterval;
    private Duration progressWatchdogInterval = Duration.ofSeconds(1);
    private Duration softTimeout = Duration.ofMinutes(1);
    private Duration hardTimeout = Duration.ofSeconds(90);
    private Duration heartbeatTimeout = Duration.ofSeconds(30);
    private Duration barrierTimeout = Duration.ofMinutes(2);
    private Duration completionTimeout = Duration.ofMinutes(2);
    private Duration lastCallWait = Duration.ofMillis(10);
    private Duration terminationGraceTime = Duration.ofSeconds(5);
    private Duration asyncStopDelay = Duration.ofSeconds(5);
    private boolean monitorProcess = true;
    private @Nullable String monitorProcessLogFile;
    private @Nullable String monitorProcessPidFile;
    private boolean enabled = true;

    WrapperBuilder() {}

    /** Who this process is in its job. By default {@link Environment#fromVariables()}, read by {@link #build}. */
    public WrapperBuilder environment(Environment value) {
        environment = value;
        return this;
    }

    /** Where the ranks meet. By default rank 0 hosts the store, and is waited for 60 s. */
    public WrapperBuilder store(StoreFactory value) {
        store = value;
        return this;
    }

    /**
     * Who takes part after a fault, and as what. By default {@link ActivateAllRanks} after {@link ShiftRanks}.
     *
     * @throws IllegalArgumentException if the assignment is only a part, which would leave lost ranks where they were
     */
    public WrapperBuilder rankAssignment(RankAssignment value) {
        rankAssignment = RankAssignment.compose(value);
        return this;
    }

    /** Runs at the start of every iteration. None by default, which means: any number of restarts. */
    public WrapperBuilder initialize(Initialize value) {
        initialize = value;
        return this;
    }

    /** Unblocks the function when its iteration must end, besides what it registers itself. None by default. */
    public WrapperBuilder abort(Abort value) {
        abort = value;
        return this;
    }

    /** Cleans up between two iterations. None by default. */
    public WrapperBuilder finalize(Finalize value) {
        finish = value;
        return this;
    }

    /** Decides before each call and after each fault whether this rank can go on. None by default. */
    public WrapperBuilder healthCheck(HealthCheck value) {
        healthCheck = value;
        return this;
    }

    /** Runs when all active ranks have completed. None by default. */
    public WrapperBuilder completion(Completion value) {
        completion = value;
        return this;
    }

    /** Runs when this rank leaves before the end. None by default. */
    public WrapperBuilder terminate(Terminate value) {
        terminate = value;
        return this;
    }

    /** Is told what happens on this rank. Nobody by default. */
    public WrapperBuilder listener(RestartListener value) {
        listener = value;
        return this;
    }

    /** How often the monitor thread looks around even if nothing wakes it. 1 s by default. */
    public WrapperBuilder monitorThreadInterval(Duration value) {
        monitorThreadInterval = value;
        return this;
    }

    /** How often the monitor process looks at the heartbeats of its rank. 1 s by default. */
    public WrapperBuilder monitorProcessInterval(Duration value) {
        monitorProcessInterval = value;
        return this;
    }

    /**
     * How often the monitor process renews the lease that its rank has in the store. By default a third of {@link
     * #heartbeatTimeout}, so 10 s.
     */
    public WrapperBuilder heartbeatInterval(Duration value) {
        heartbeatInterval = value;
        return this;
    }

    /** How often the progress of the function is measured. 1 s by default. */
    public WrapperBuilder progressWatchdogInterval(Duration value) {
        progressWatchdogInterval = value;
        return this;
    }

    /**
     * After how long without progress the function counts as hung and all ranks restart. 60 s by default; it is noticed
     * up to one {@link #progressWatchdogInterval} later.
     */
    public WrapperBuilder softTimeout(Duration value) {
        softTimeout = value;
        return this;
    }

    /**
     * After how long without progress the monitor process ends this process; also how long a function may take to end
     * once it has been told to. 90 s by default; more than the soft timeout.
     */
    public WrapperBuilder hardTimeout(Duration value) {
        hardTimeout = value;
        return this;
    }

    /** After how long without a heartbeat from its host a rank counts as lost. 30 s by default. */
    public WrapperBuilder heartbeatTimeout(Duration value) {
        heartbeatTimeout = value;
        return this;
    }

    /**
     * How long the ranks wait for each other at the start, in each restart and at the end. 120 s by default; more than
     * the hard timeout, so that a rank which hangs is gone before the others give up.
     */
    public WrapperBuilder barrierTimeout(Duration value) {
        barrierTimeout = value;
        return this;
    }

    /** How long a rank whose function has returned waits for the others' before it restarts all. 120 s by default. */
    public WrapperBuilder completionTimeout(Duration value) {
        completionTimeout = value;
        return this;
    }

    /** How long after a fault others are still recorded as belonging to the same restart. 10 ms by default. */
    public WrapperBuilder lastCallWait(Duration value) {
        lastCallWait = value;
        return this;
    }

    /** How long a process that hangs may take to end itself before it is killed. 5 s by default. */
    public WrapperBuilder terminationGraceTime(Duration value) {
        terminationGraceTime = value;
        return this;
    }

    /** After how long a function that does not end is reported, with the place where it stands. 5 s by default. */
    public WrapperBuilder asyncStopDelay(Duration value) {
        asyncStopDelay = value;
        return this;
    }

    /**
     * Whether a child process watches this one. True by default. Without it a hang that cannot be interrupted and the
     * loss of the host go unnoticed; for tests and simulations in which several ranks live in one process.
     */
    public WrapperBuilder monitorProcess(boolean value) {
        monitorProcess = value;
        return this;
    }

    /** Where the monitor process appends its log; {@code {rank}} stands for the initial rank. Nowhere by default. */
    public WrapperBuilder monitorProcessLogFile(String value) {
        monitorProcessLogFile = value;
        return this;
    }

    /** Where the monitor process keeps its id while it runs; {@code {rank}} likewise. Nowhere by default. */
    public WrapperBuilder monitorProcessPidFile(String value) {
        monitorProcessPidFile = value;
        return this;
    }

    /** False to call the function once, plainly, without any protection. True by default. */
    public WrapperBuilder enabled(boolean value) {
        enabled = value;
        return this;
    }

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if one contradicts another, or a variable of the environment is wrong; it names
     *     both settings and both values
     */
    public Wrapper build() {
        Timings timings = new Timings(
                monitorThreadInterval,
                monitorProcessInterval,
                heartbeatInterval == null ? heartbeatTimeout.dividedBy(HEARTBEATS) : heartbeatInterval,
                progressWatchdogInterval,
                softTimeout,
                hardTimeout,
                heartbeatTimeout,
                barrierTimeout,
                completionTimeout,
                lastCallWait,
                terminationGraceTime,
                asyncStopDelay);
        return new Wrapper(
                new Settings(
                        environment == null ? Environment.fromVariables() : environment,
                        store,
                        rankAssignment,
                        new Hooks(initialize, abort, finish, healthCheck, completion, terminate, listener),
                        timings,
                        monitorProcess,
                        monitorProcessLogFile,
                        monitorProcessPidFile),
                enabled);
    }
}

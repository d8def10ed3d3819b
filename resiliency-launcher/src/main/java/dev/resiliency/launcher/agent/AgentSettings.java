package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.RestartBudget;
import dev.resiliency.launcher.RestartPolicy;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * What an agent decides by.
 *
 * @param processes how many ranks the node has
 * @param spares how many more processes, which join as reserves
 * @param budget of the whole job
 * @param backoff how long to wait before a restart, by the number of failures in a row before it
 * @param grace how long a process may take to end after a signal
 * @param startupTime a process that fails within this time has failed at start-up
 * @param maxStartupFailures how many of these in a row of one rank end the job; 0 for no limit
 * @param hungSignal which signal ends a process that hangs, without {@code SIG}
 * @param maxNoProgressCycles how many restarts in a row without progress end the job; 0 for no limit
 * @param reclaimsMemory whether processes that all start again wait until the memory of the GPUs is free
 */
public record AgentSettings(
        int processes,
        int spares,
        RestartPolicy policy,
        RestartBudget budget,
        IntFunction<Duration> backoff,
        Duration grace,
        Duration startupTime,
        int maxStartupFailures,
        String hungSignal,
        int maxNoProgressCycles,
        boolean reclaimsMemory) {}

package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.RestartBudget;
import dev.resiliency.launcher.RestartPolicy;
import java.time.Duration;
import java.util.function.IntFunction;

/** What the agents of tests decide by. */
final class SettingsFixture {
    private SettingsFixture() {}

    /** Restarts single ranks, at once. */
    static AgentSettings soft(int processes, int spares, String hungSignal, int maxNoProgressCycles) {
        return settings(
                processes,
                spares,
                RestartPolicy.SOFT,
                failures -> Duration.ZERO,
                hungSignal,
                maxNoProgressCycles,
                false);
    }

    static AgentSettings settings(
            int processes, int spares, RestartPolicy policy, IntFunction<Duration> backoff, boolean reclaimsMemory) {
        return settings(processes, spares, policy, backoff, "KILL", 0, reclaimsMemory);
    }

    private static AgentSettings settings(
            int processes,
            int spares,
            RestartPolicy policy,
            IntFunction<Duration> backoff,
            String hungSignal,
            int maxNoProgressCycles,
            boolean reclaimsMemory) {
        return new AgentSettings(
                processes,
                spares,
                policy,
                RestartBudget.of(10),
                backoff,
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                3,
                hungSignal,
                maxNoProgressCycles,
                reclaimsMemory);
    }
}

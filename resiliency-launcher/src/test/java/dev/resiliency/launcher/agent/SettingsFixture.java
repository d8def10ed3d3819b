package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.LaunchConfig;
import dev.resiliency.launcher.MonitorSettings;
import dev.resiliency.launcher.RestartBudget;
import dev.resiliency.launcher.RestartPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.function.IntFunction;

/** What the agents of tests decide by. */
final class SettingsFixture {
    private SettingsFixture() {}

    /** Restarts single ranks, at once. */
    static AgentSettings soft(int processes, int spares, String hungSignal, int maxNoProgressCycles) {
        return new AgentSettings(
                config(processes, spares, RestartPolicy.SOFT, hungSignal, maxNoProgressCycles)
                        .build(),
                failures -> Duration.ZERO,
                false);
    }

    static AgentSettings settings(
            int processes, int spares, RestartPolicy policy, IntFunction<Duration> backoff, boolean reclaimsMemory) {
        return new AgentSettings(config(processes, spares, policy, "KILL", 0).build(), backoff, reclaimsMemory);
    }

    static LaunchConfig.Builder config(
            int processes, int spares, RestartPolicy policy, String hungSignal, int maxNoProgressCycles) {
        return LaunchConfig.builder()
                .processes(processes)
                .spares(spares)
                .policy(policy)
                .budget(RestartBudget.of(10))
                .startup(Duration.ofSeconds(10), 3)
                .monitor(new MonitorSettings(null, null, Map.of(), null, false, 5, 3, hungSignal, maxNoProgressCycles));
    }
}

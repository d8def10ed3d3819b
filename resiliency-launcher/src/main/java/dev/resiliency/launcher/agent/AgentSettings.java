package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.LaunchConfig;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * What an agent decides by.
 *
 * @param backoff how long to wait before a restart, by the number of failures in a row at start-up
 * @param reclaimsMemory whether processes that all start again wait until the memory of the GPUs is free
 */
record AgentSettings(LaunchConfig config, IntFunction<Duration> backoff, boolean reclaimsMemory) {}

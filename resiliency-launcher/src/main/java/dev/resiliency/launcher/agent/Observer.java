package dev.resiliency.launcher.agent;

import java.time.Duration;
import java.util.Optional;

/** Sees what an agent decides, and changes nothing of it. Called by the thread of the agent. */
interface Observer {
    /** Receives a step before its actions are performed: what a process has left behind may be gone afterwards. */
    void observe(AgentStep step);

    /** Does what does not follow from a step alone. Called after each task of the agent. */
    default void look() {}

    /** Returns how long until {@link #look} is due though nothing happens; empty if it is not. */
    default Optional<Duration> untilLook() {
        return Optional.empty();
    }
}

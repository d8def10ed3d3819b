package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentEvent.Ignorable;
import org.jspecify.annotations.Nullable;

/**
 * A stage of an agent. It owns the state that is valid only while it lasts, and its constructor is the entry action. Confined to
 * the thread of the agent.
 *
 * <pre>
 *   AwaitingSeat ─▶ Running ─▶ Completed ─▶ Ending ─▶ Leaving
 *        ▲           │   ▲         │
 *        │           ▼   │         │
 *        └──────── Regrouping ◀────┘
 * </pre>
 *
 * <p>All but the last three are {@link TakingPart}: from each of them, an agent that is to end goes to {@link Ending}, and a cycle of the
 * whole job leads to {@link Regrouping}.
 */
sealed interface AgentStage permits TakingPart, Completed, Ending, Leaving {
    /**
     * Handles an event; returns the stage that follows, or this one if it lasts.
     *
     * @throws IllegalStateException if it cannot happen in this stage
     */
    AgentStage on(AgentEvent event);

    /** Handles an event for which this stage has no use. */
    default AgentStage ignore(AgentEvent event) {
        if (!(event instanceof Ignorable)) {
            throw new IllegalStateException("unexpected");
        }
        return this;
    }

    /** Returns the stage that follows without an event; null while this one lasts. */
    default @Nullable AgentStage next() {
        return null;
    }

    /** Returns when this stage needs a {@link AgentEvent.Tick}, on the agent's clock; null if it needs none. */
    default @Nullable Long deadline() {
        return null;
    }
}
